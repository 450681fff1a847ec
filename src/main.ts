import './runtime.ts';

await import('./app/start.ts');
