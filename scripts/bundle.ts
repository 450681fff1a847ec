import { readFile, writeFile } from 'node:fs/promises';
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

const scripts: BuildOptions = {
  ...options,
  input: ['scripts/schema.ts', 'scripts/configuration.ts', 'scripts/examples.ts'],
  output: { dir: 'dist/scripts', cleanDir: true, chunkFileNames: '[name].js' },
};

// Bundles the programs with their packages: reading thousands of small files would double the time of a start.
await makeFolder(
  'dist/src',
  ['package-lock.json', 'src', 'migrations', 'scripts', 'openapi.yaml', 'tsconfig.json', guidesFolder],
  async (isFirst) => {
    // Standard output belongs to the program that starts next.
    console.error(isFirst ? 'Building (first start only)' : 'Building, as the sources have changed');
    const { build } = await import('rolldown');
    await build([programs, scripts]);
    const { parse } = await import('yaml');
    const description = parse(await readFile(join(root, 'openapi.yaml'), 'utf8'));
    await writeFile(join(root, 'dist/src/openapi.json'), JSON.stringify(description));
    const { renderGuides } = await import('./guides.ts');
    await writeFile(join(root, 'dist/src/guides.json'), JSON.stringify(await renderGuides()));
  },
);
