import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { readDocument, root } from '../support/documents.ts';
import { useFolder } from '../support/test-app.ts';

const forbidden = [
  ['src/kernel/token.ts', '../platform/http/server.ts'],
  ['src/platform/http/server.ts', '../../domain/tables.ts'],
  ['src/domain/partner/items/items.queries.ts', '../../../surfaces/rest/router.ts'],
  ['src/domain/tables.ts', '../app/config.ts'],
  ['src/domain/copy.ts', 'type-graphql'],
  ['src/surfaces/request/context.ts', '../graphql/schema.ts'],
  ['src/surfaces/graphql/apollo-server.ts', '../rest/router.ts'],
  ['src/surfaces/rest/router.ts', '../graphql/apollo-server.ts'],
  ['src/surfaces/pages/router.ts', '../graphql/apollo-server.ts'],
  ['src/surfaces/admin/program.ts', '../../app/config.ts'],
] as const;

const allowed = [
  ['src/app/app.ts', '../surfaces/rest/router.ts'],
  ['src/surfaces/pages/home.ts', '../rest/router.ts'],
  ['src/surfaces/graphql/schema.ts', '../../domain/tables.ts'],
  ['src/surfaces/graphql/partner/items.ts', '../../../platform/database/connect.ts'],
  ['src/platform/http/routes.ts', '../../kernel/token.ts'],
] as const;

test('rejects exactly the imports of a higher or sibling layer', async () => {
  const folder = await useFolder();
  const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
  await writeFile(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  for (const [file, source] of [...forbidden, ...allowed]) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), `import { it } from '${source}';\n\nit();\n`);
  }
  const report = await new Promise<string>((resolve) => {
    const biome = join(root, 'tools/lint/node_modules/@biomejs/biome/bin/biome');
    const options = ['lint', '--reporter=github', '--only=noRestrictedImports', '.'];
    execFile(process.execPath, [biome, ...options], { cwd: folder }, (_, out) => resolve(out));
  });
  const rejected = [...report.matchAll(/noRestrictedImports,file=.*?(src[^,]+)/g)].map(([, file]) => file);
  expect(rejected.toSorted()).toEqual(forbidden.map(([file]) => file).toSorted());
});

test('a GraphQL feature imports only object types and connections of other features', async () => {
  const types = buildSchema(await readDocument('schema.graphql')).getTypeMap();
  const folder = join(root, 'src/surfaces/graphql/partner');
  const others: string[] = [];
  for (const file of await readdir(folder)) {
    const source = await readFile(join(folder, file), 'utf8');
    for (const [, names = '', other = ''] of source.matchAll(/^import \{([^}]+)\} from '\.\.?\/([^/]+)\.ts';$/gm)) {
      if (other === 'user-errors' || other === 'selects-items') continue;
      const unwanted = names.match(/(?!type )\b\w+/g)?.filter((name) => !(name in types)) ?? [];
      others.push(...unwanted.map((name) => `${file} ${other} ${name}`));
    }
  }
  expect(others).toEqual([]);
});
