import { expect, test } from 'vitest';
import { variables } from '../../src/app/config.ts';
import { readDocument } from '../support/documents.ts';

test('configuration.md has every variable, with its default', async () => {
  const document = (await readDocument('docs/operations/configuration.md')).replaceAll('`', '');
  const described = [...document.matchAll(/^\| ([A-Z_]+) \| (?:(.+) )?\| .+ \|$/gm)].map(
    ([, name = '', value = '']) => ({ name, value }),
  );
  const defaults = Object.entries(variables).map(([name, { def }]) => {
    return { name, value: 'defaultValue' in def ? String(def.defaultValue) : '' };
  });
  expect(described).toEqual(defaults);
});
