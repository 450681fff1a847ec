import { expect, test } from 'vitest';
import { variables } from '../../src/app/config.ts';
import { memoryBounds } from '../../src/kernel/memory-bounds.ts';
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

test('SECURITY.md has all bounds', async () => {
  const { unsentResponses, bodies, ...caches } = memoryBounds;
  const MiB = 1_024 * 1_024;
  const sum = Math.ceil(Object.values(caches).reduce((total, bound) => total + bound, 0) / MiB);
  const text = await readDocument('SECURITY.md');
  expect(text.replaceAll('\n', ' ')).toContain(
    `they are ${sum} MiB for caches, ${unsentResponses / MiB} MiB for unread responses, ` +
      `and ${bodies / MiB} MiB for request bodies`,
  );
});
