import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// As in main.ts.
enableCompileCache(join(import.meta.dirname, '.compile-cache'));
const { runAdmin } = await import('./surfaces/admin/run.ts');

const exitCode = await runAdmin(process.argv.slice(2));
// Interrupted, it may still wait for input that never comes.
if (exitCode > 128) process.exit(exitCode);
process.exitCode = exitCode;
