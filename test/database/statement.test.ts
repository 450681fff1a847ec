import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import { statement } from '../../src/platform/database/statement.ts';

interface Parameters {
  id: number;
  ids: number[];
  name: string | null;
}

const items = (db: Database) => db.selectFrom('items').select('id');

test.each<[how: string, build: (db: Database, parameters: Parameters) => ReturnType<typeof items>]>([
  ['coerces', (db, { id }) => items(db).where('id', '=', id + 1)],
  ['writes into a text', (db, { name }) => items(db).where('nameEn', '=', `${name}%`)],
  ['stringifies', (db, { ids }) => items(db).where('nameEn', '=', String(ids))],
  ['compares', (db, { id }) => (id > 100 ? items(db).limit(id) : items(db))],
  ['compares with null', (db, { name }) => (name === null ? items(db) : items(db).where('nameEn', '=', name))],
  ['compares with a value only', (db, { name }) => (name === 'all' ? items(db) : items(db).limit(1))],
  ['replaces', (db, { name }) => items(db).where('nameEn', '=', name ?? 'unnamed')],
  ['iterates', (db, { ids }) => items(db).where('id', 'in', [...ids])],
  ['counts', (db, { ids }) => items(db).limit(ids.length)],
  ['calls a method', (db, { ids }) => items(db).where('id', '=', sql<number>`any(${ids.toSorted()})`)],
])('a statement whose builder %s a parameter throws as it is built', (_how, build) => {
  expect(() => statement(build)).toThrow();
});

test('a statement that passes its parameters on, next to constants, is built', () => {
  const built = statement((db: Database, { id, ids, name }: Parameters) =>
    items(db)
      .where('itemType', '=', 'product')
      .where('id', '=', sql<number>`any(${ids})`)
      .where('nameEn', '=', name)
      .where('id', '<>', id)
      .where('id', '<>', sql<number>`all(${ids})`),
  );
  const { sql: text, parameters } = built.with({ id: 3, ids: [1, 2], name: null });
  expect(parameters).toEqual(['product', [1, 2], null, 3]);
  // A parameter that is used twice is sent once.
  expect(text).toMatch(/any\(\$2\) .* all\(\$2\)$/);
});
