import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'rolldown';
import { makeFolder, root } from './make-folder.ts';

const inPackage = /[\\/]node_modules[\\/]/;

/** Keeps packages out of source maps, which Node reads as it starts: with them those are larger than the code. */
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
  // PGlite is PostgreSQL in files that lie beside its code; type-graphql would ask for the other one only to validate.
  external: [/^@electric-sql\/pglite/, 'class-validator'],
  // The file that Node takes too: of graphql there may be only one copy.
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
    // By the folder, Node tells apart whose warnings are ours to heed.
    chunkFileNames: ({ name }) => (name.startsWith('packages') ? 'node_modules/[name].js' : 'chunks/[name].js'),
    codeSplitting: { groups: [{ name: 'packages', test: inPackage, entriesAware: true }] },
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
};

const scripts: BuildOptions = {
  ...options,
  input: ['scripts/schema.ts', 'scripts/examples.ts'],
  output: { dir: 'dist/scripts', cleanDir: true, chunkFileNames: '[name].js' },
};

// Bundles what runs with the packages it uses: to find and read their thousands of small files would take a start as long as all
// else that it does.
await makeFolder(
  'dist/src',
  ['package-lock.json', 'src', 'migrations', 'scripts', 'openapi.yaml', 'tsconfig.json'],
  async (isFirst) => {
    // Not on standard output, which belongs to the program that is started next.
    console.error(isFirst ? 'Building (first start only)' : 'Building, as the sources have changed');
    const { build } = await import('rolldown');
    await build([programs, scripts]);
    const { parse } = await import('yaml');
    const description = parse(await readFile(join(root, 'openapi.yaml'), 'utf8'));
    await writeFile(join(root, 'dist/src/openapi.json'), JSON.stringify(description));
  },
);
