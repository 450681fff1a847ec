// What `npm run dev` runs again whenever a source changes.
await import('./build.ts');
await import('../dist/src/main.js');
