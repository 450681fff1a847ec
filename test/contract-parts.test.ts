import { expect, test } from 'vitest';
import { type OpenApi, openApiChanges } from '../contract/rest/changes.ts';
import { described } from './support/contract.ts';
import { type Mutation, mutations } from './support/contract-mutations.ts';
import { changedAt, type Part, partAt, partsOf } from './support/contract-parts.ts';

const document = described();
const parts = partsOf(document);

/** As little of the document as reaches a part, and that with the part changed. */
function mutated({ path, method, status, keys }: Part, change: Mutation['change']): [OpenApi, OpenApi] {
  const operation = partAt(document, ['paths', path, method]);
  const answers =
    status === undefined ? {} : { [status]: partAt(document, ['paths', path, method, 'responses', status]) };
  const only = { ...document, paths: { [path]: { [method]: { ...operation, responses: answers } } } } as OpenApi;
  return [only, changedAt(only, keys, change) as OpenApi];
}

test('there is a mutation for each keyword of a schema in the description', () => {
  const schemas = parts.filter(({ kind }) => kind === 'schema').map(({ keys }) => partAt(document, keys));
  const keywords = new Set(schemas.flatMap((schema) => Object.keys(schema)));
  expect([...keywords].filter((keyword) => !mutations.some(({ of }) => of.includes(keyword)))).toEqual([]);
});

test.each(mutations)('$name: breaks $breaks', ({ kinds, where, change, breaks }) => {
  const changed = parts.filter(
    ({ kind, keys }) => (kinds === undefined || kinds.includes(kind)) && where(partAt(document, keys)),
  );
  expect(changed).not.toEqual([]);
  const wrong = changed.filter((part) => {
    const isTold = openApiChanges(...mutated(part, change)).length > 0;
    return isTold !== breaks.includes(part.direction);
  });
  expect(wrong.map(({ direction, keys }) => `${direction} ${keys.join('/')}`)).toEqual([]);
});
