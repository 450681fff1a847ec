// `npm run dev` runs this again whenever a source changes.
await import('./build.ts');
await import('../../dist/src/main.js');
