import { parse, visit } from 'graphql';
import { expect, test } from 'vitest';
import { readDocument } from '../support/documents.ts';
import { readDescription } from '../support/rest-contract.ts';

/** Whether a description adds information to the name. */
function tells(description: unknown, name: string): boolean {
  if (typeof description !== 'string') return false;
  const letters = (text: string) =>
    text
      .toLowerCase()
      .replace(/^(the|an?) /, '')
      .replace(/[^\p{L}\p{N}]/gu, '');
  return letters(description).length > 0 && letters(description) !== letters(name);
}

test('every type, field, argument, input field, enum value and directive of the schema is described', async () => {
  const described: string[] = [];
  const silent: string[] = [];
  visit(parse(await readDocument('schema.graphql')), {
    enter(node) {
      if (!('description' in node) || !('name' in node) || !node.name) return;
      const name = node.name.value;
      const names = tells(node.description?.value, name) ? described : silent;
      names.push(`${node.loc?.startToken.line}: ${name}`);
    },
  });
  expect(described.length).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});

test('every operation, parameter, property, header and response of openapi.yaml is described', () => {
  const undescribed: string[] = [];
  const groups = ['properties', 'headers', 'responses', 'schemas', 'parameters', 'get', 'post', 'put'];
  const visitPart = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const part = value as Record<string, unknown>;
    const name = String(part.operationId ?? part.name ?? path.at(-1));
    const group = String(path.at(-2));
    // The base schema describes the properties of problems.
    const isRefinement = path[1] === 'responses' && group === 'properties';
    const isNamed = groups.includes(group) && !isRefinement && !('$ref' in part);
    if (isNamed && !tells(part.description, name)) undescribed.push(path.join('/'));
    if (part.operationId !== undefined && !tells(part.summary, name)) undescribed.push(`${name} (summary)`);
    for (const [key, each] of Object.entries(part)) if (!key.startsWith('example')) visitPart(each, [...path, key]);
  };
  const { paths, components } = readDescription();
  visitPart(components, ['components']);
  for (const [path, item] of Object.entries<object>(paths)) {
    for (const [method, operation] of Object.entries(item)) visitPart(operation, [method, path]);
  }
  expect(undescribed).toEqual([]);
});
