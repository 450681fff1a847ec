import './prepare.ts';

await import('./app/start.ts');
