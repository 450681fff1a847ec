import { defineConfig } from 'vite';

// What the pages load: into dist/browser, where src/surfaces/pages/assets.ts finds each file's name in the manifest.
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  logLevel: 'error',
  build: {
    outDir: '../dist/browser',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // Scripts and styles are files: the pages' content security policies take no others.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: ['page.css', 'home.ts', 'docs.ts', 'explorer.ts', 'sandbox.ts'].map(
        (file) => `${import.meta.dirname}/${file}`,
      ),
    },
  },
  worker: { format: 'es' },
});
