import { buildSchema, type GraphQLEnumType } from 'graphql';
import { expect, test } from 'vitest';
import { type RequestErrorCode, toGraphQLCode, toHttpStatus } from '../../src/kernel/errors/catalog.ts';
import en from '../../src/kernel/errors/messages.en.json' with { type: 'json' };
import { readDocument } from '../support/documents.ts';

const document = await readDocument('docs/partners/errors.md');
const schema = buildSchema(await readDocument('schema.graphql'));

const labels = ['Status', 'GraphQL', 'When', 'What to do', 'Retry'];
const sections = Object.fromEntries(
  [...document.matchAll(/^### (.+)\n\n((?:- .+\n)+)/gm)].map(([, code = '', body = '']) => {
    return [code, new Map([...body.matchAll(/^- \*\*(.+):\*\* (.+)$/gm)].map(([, label, text = '']) => [label, text]))];
  }),
);
const codes = Object.keys(en.errors) as RequestErrorCode[];

test('errors.md has exactly one section per code', () => {
  expect(Object.keys(sections).toSorted()).toEqual(codes.toSorted());
});

test.each(codes)('%s is documented with its status, GraphQL code and remedy', (code) => {
  const section = sections[code];
  expect([...(section?.keys() ?? [])]).toEqual(labels);
  expect(section?.get('Status')).toBe(String(toHttpStatus(code)));
  const name = toGraphQLCode(code);
  const isUserError = (schema.getType('UserErrorCode') as GraphQLEnumType).getValue(name) !== undefined;
  const where = isUserError ? `\`${name}\` in \`userErrors\`` : `\`${name}\` in \`errors\``;
  const text = section?.get('GraphQL') ?? '';
  if (/^(Not used|Problem details)/.test(text)) expect(isUserError).toBe(false);
  else expect(text).toContain(where);
});
