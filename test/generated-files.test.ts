import { readFile } from 'node:fs/promises';
import { generate } from '@graphql-codegen/cli';
import { describe, expect, test } from 'vitest';
import codegen from '../codegen.ts';
import { createSchema } from '../src/surfaces/graphql/schema.ts';

// A stale file is written by `npm run generate`.
const root = new URL('..', import.meta.url);

test.each(['public', 'partner'] as const)(
  'schema.graphql is what the resolvers say (REFERENCE_ACCESS=%s)',
  async (access) => {
    const committed = await readFile(new URL('schema.graphql', root), 'utf8');
    expect(committed).toBe(`${createSchema(access).typeDefs}\n`);
  },
);

describe('typed documents', () => {
  test.each(Object.keys(codegen.generates))('%s is what its documents and the schema say', async (file) => {
    const generated: { filename: string; content: string }[] = await generate(
      { ...codegen, cwd: new URL('.', root).pathname, silent: true },
      false,
    );
    const { content } = generated.find(({ filename }) => filename.endsWith(file)) ?? {};
    expect(await readFile(new URL(file, root), 'utf8')).toBe(content);
  });
});
