import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createSchema } from '../../src/surfaces/graphql/schema.ts';

// A stale file is written by `npm run generate`.
const root = new URL('../..', import.meta.url);

test.each(['public', 'partner'] as const)(
  'schema.graphql is what the resolvers say (REFERENCE_ACCESS=%s)',
  async (access) => {
    const committed = await readFile(new URL('schema.graphql', root), 'utf8');
    expect(committed).toBe(`${createSchema(access).typeDefs}\n`);
  },
);
