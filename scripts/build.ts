import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'rolldown';
import { guidesFolder, makeFolder, root } from './make-folder.ts';

const inPackage = /[\\/]node_modules[\\/]/;

/** Leaves packages out of source maps. Node reads the maps as it starts, and with packages they are larger than the code. */
const ownMaps: Plugin = {
  name: 'own-maps',
  transform: {
    filter: { id: inPackage },
    handler: (code) => ({ code, map: { mappings: '', names: [], sources: [] } }),
  },
};

const options: BuildOptions = {
  cwd: root,
  platform: 'node',
  // PGlite loads files from beside its code. type-graphql loads class-validator only to validate, which is off.
  external: [/^@electric-sql\/pglite/, 'class-validator'],
  // The files that Node itself resolves: there may be only one copy of graphql.
  resolve: { mainFields: ['main'] },
  plugins: [ownMaps],
};

const programs: BuildOptions = {
  ...options,
  input: ['src/main.ts', 'src/admin.ts'],
  output: {
    dir: 'dist/src',
    cleanDir: true,
    // Logs and traces name errors by their classes.
    keepNames: true,
    // Node shows deprecation warnings only for code outside of node_modules.
    chunkFileNames: ({ name }) => (name.startsWith('packages') ? 'node_modules/[name].js' : 'chunks/[name].js'),
    codeSplitting: { groups: [{ name: 'packages', test: inPackage, entriesAware: true }] },
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
};

const generator: BuildOptions = {
  ...options,
  input: 'scripts/generate.ts',
  output: { dir: 'dist/scripts', cleanDir: true, chunkFileNames: '[name].js' },
};

/** The files that pages load, by their names in dist/src/browser: our own, and two packages as published. */
const browserFiles = {
  '': 'browser',
  altair: 'node_modules/altair-static/build/dist',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
};

const sources = ['package-lock.json', 'src', 'migrations', 'scripts', 'browser', 'openapi.yaml', 'tsconfig.json'];

// Bundles the programs with their packages: reading thousands of small files would double the time of a start.
await makeFolder('dist/src', [...sources, guidesFolder], async (isFirst) => {
  // Standard output belongs to the program that starts next.
  console.error(isFirst ? 'Building (first start only)' : 'Building, as the sources have changed');
  const { build } = await import('rolldown');
  await build([programs, generator]);
  const made = (name: string) => join(root, 'dist/src', name);
  for (const [name, source] of Object.entries(browserFiles)) {
    await cp(join(root, source), join(made('browser'), name), { recursive: true });
  }
  const { parse } = await import('yaml');
  await writeFile(made('openapi.json'), JSON.stringify(parse(await readFile(join(root, 'openapi.yaml'), 'utf8'))));
  const { renderGuides } = await import('./guides.ts');
  await writeFile(made('guides.json'), JSON.stringify(await renderGuides()));
});
