import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { variables } from '../../src/app/config.ts';
import codegenPackage from '../../tools/codegen/package.json' with { type: 'json' };
import { readDocument } from '../support/documents.ts';
import { pooledEnv } from '../support/test-app.ts';

test('configuration.md has every variable and default', async () => {
  const document = (await readDocument('docs/operations/configuration.md')).replaceAll('`', '');
  const described = [...document.matchAll(/^\| ([A-Z_]+) \| (?:(.+) )?\| .+ \|$/gm)].map(
    ([, name = '', value = '']) => ({ name, value }),
  );
  const defaults = Object.entries(variables).map(([name, { def }]) => {
    return { name, value: 'defaultValue' in def ? String(def.defaultValue) : '' };
  });
  expect(described).toEqual(defaults);
});

test('pgbouncer.md and pgbouncer.ini have the tested settings', async () => {
  for (const [path, line] of [
    ['docs/operations/pgbouncer.md', /^export (\w+)=(.+)$/gm],
    ['deploy/pgbouncer.ini', /^; {3}(\w+)=(.+)$/gm],
  ] as const) {
    const settings = [...(await readDocument(path)).matchAll(line)].map(([, name, value]) => [name, value]);
    expect(Object.fromEntries(settings)).toEqual(pooledEnv('postgres://gateway:password@10.0.0.30:6432/gateway'));
  }
});

test.each(['graphql-client', 'rest-client'])('%s has the tested dependency versions', async (name) => {
  const client = JSON.parse(await readDocument(`examples/${name}/package.json`));
  const { dependencies, devDependencies } = packageJson;
  const tested = { ...dependencies, ...devDependencies, ...codegenPackage.devDependencies };
  expect(tested).toMatchObject({ ...client.dependencies, ...client.devDependencies });
});
