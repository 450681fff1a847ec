import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before any other module is loaded: a start that finds the code compiled takes half the time. NODE_COMPILE_CACHE names another folder.
enableCompileCache(join(import.meta.dirname, '.compile-cache'));
await import('./app/main.ts');
