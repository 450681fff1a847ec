import { readFile } from 'node:fs/promises';
import { buildSchema, isIntrospectionType, isSpecifiedDirective, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
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
  const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  interface Part {
    name: string;
    description?: unknown;
    args?: readonly Part[];
  }
  let count = 0;
  const silent: string[] = [];
  const visit = (path: string, part: Part) => {
    count += 1;
    if (!tells(part.description, part.name)) silent.push(`${path}${part.name}`);
    for (const arg of part.args ?? []) visit(`${path}${part.name} > `, arg);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    if (type !== schema.getQueryType() && type !== schema.getMutationType()) visit('', type);
    if ('getValues' in type) for (const value of type.getValues()) visit(`${type.name}.`, value);
    if ('getFields' in type) for (const field of Object.values(type.getFields())) visit(`${type.name}.`, field);
  }
  for (const directive of schema.getDirectives()) if (!isSpecifiedDirective(directive)) visit('@', directive);
  expect(count).toBeGreaterThan(100);
  expect(silent).toEqual([]);
});

test('every operation, parameter, property, header and response of openapi.yaml is described', () => {
  const undescribed: string[] = [];
  const groups = ['properties', 'headers', 'responses', 'schemas', 'parameters', 'get', 'post', 'put'];
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const part = value as Record<string, unknown>;
    const name = String(part.operationId ?? part.name ?? path.at(-1));
    const group = String(path.at(-2));
    // The base schema describes the properties of problems.
    const isRefinement = path[1] === 'responses' && group === 'properties';
    const isNamed = groups.includes(group) && !isRefinement && !('$ref' in part);
    if (isNamed && !tells(part.description, name)) undescribed.push(path.join('/'));
    if (part.operationId !== undefined && !tells(part.summary, name)) undescribed.push(`${name} (summary)`);
    for (const [key, each] of Object.entries(part)) if (!key.startsWith('example')) visit(each, [...path, key]);
  };
  const { paths, components } = readDescription();
  visit(components, ['components']);
  for (const [path, item] of Object.entries<object>(paths)) {
    for (const [method, operation] of Object.entries(item)) visit(operation, [method, path]);
  }
  expect(undescribed).toEqual([]);
});
