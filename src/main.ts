import './runtime.ts';

await import('./app/run-gateway.ts');
