import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examplesIn, guidesFolder, makeFolder, root } from './make-folder.ts';

/** By their names in dist/src/browser. */
const browserFiles = {
  '': 'browser',
  'highlight.js': 'node_modules/@highlightjs/cdn-assets/es/highlight.min.js',
  'minisearch.js': 'node_modules/minisearch/dist/es/index.js',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
};

const configuration = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
  'openapi.yaml',
  'schema.graphql',
  'examples/operations.graphql',
  'CHANGELOG.md',
];

const examples = examplesIn(await readFile(join(root, guidesFolder, 'examples.md'), 'utf8'));

const compiled = [
  'src',
  'migrations',
  'tools/codegen/generate.ts',
  'tools/codegen/schema.ts',
  'tools/codegen/write.ts',
];

// `npm run check` checks the types.
await makeFolder(
  'dist/src',
  [...compiled, 'tools/build', 'tools/guides', 'browser', guidesFolder, ...examples, ...configuration],
  async () => {
    // Leave standard output to the program that starts next.
    console.error('Building');
    for (const name of ['src', 'migrations', 'tools'])
      await rm(join(root, 'dist', name), { recursive: true, force: true });
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
      cwd: root,
      stdio: 'inherit',
    });
    const distPath = (name: string) => join(root, 'dist/src', name);
    for (const [name, source] of Object.entries(browserFiles)) {
      await cp(join(root, source), join(distPath('browser'), name), { recursive: true });
    }
    // Pages show responses as the server does.
    for (const name of ['placeholders.js', 'snippets.js'])
      await cp(distPath(`surfaces/pages/${name}`), distPath(`browser/${name}`));
    const { js, css, editorWorkerService, jsonWorker, graphqlWorker } = await import(
      '@graphql-yoga/render-graphiql/graphiql'
    );
    const graphiql = {
      'graphiql.js': js,
      'graphiql.css': css,
      'editorWorkerService.js': editorWorkerService,
      'json.js': jsonWorker,
      'graphql.js': graphqlWorker,
    };
    await mkdir(distPath('browser/graphiql'));
    for (const [name, text] of Object.entries(graphiql)) await writeFile(distPath(`browser/graphiql/${name}`), text);
    await cp(join(root, 'examples/operations.graphql'), distPath('operations.graphql'));
    const { parse } = await import('yaml');
    await writeFile(
      distPath('openapi.json'),
      JSON.stringify(parse(await readFile(join(root, 'openapi.yaml'), 'utf8'))),
    );
    const { indexGuides, renderGuides } = await import('../guides/render-guides.ts');
    const { isSchemaGuide } = await import('../../src/surfaces/pages/guides.ts');
    const guides = await renderGuides();
    await writeFile(distPath('guides.json'), JSON.stringify(guides));
    await writeFile(distPath('search.json'), indexGuides(guides));
    // For services without introspection.
    await writeFile(
      distPath('search-without-schema.json'),
      indexGuides(guides.filter((guide) => !isSchemaGuide(guide))),
    );
  },
);
