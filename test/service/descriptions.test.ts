import { readFile } from 'node:fs/promises';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { readDescription } from '../support/rest-contract.ts';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Whether a description says more than the name. */
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
  const schema = buildSchema(await read('schema.graphql'));
  const described: [path: string, name: string, description: unknown][] = [];
  const add = (path: string, { name, description }: { name: string; description?: unknown }) =>
    described.push([path, name, description]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
    if (!isRoot) add(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) add(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field);
      if ('args' in field) for (const arg of field.args) add(`${type.name}.${field.name}(${arg.name}:)`, arg);
    }
  }
  for (const directive of schema.getDirectives()) {
    if (isSpecifiedDirective(directive)) continue;
    add(`@${directive.name}`, directive);
    for (const arg of directive.args) add(`@${directive.name}(${arg.name}:)`, arg);
  }
  expect(described.length).toBeGreaterThan(100);
  const silent = described.filter(([, name, description]) => !tells(description, name));
  expect(silent.map(([path, , description]) => `${path}: ${description}`)).toEqual([]);
});

test('every operation, parameter, property, header and response of openapi.yaml is described', () => {
  const undescribed: string[] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const part = value as Record<string, unknown>;
    const name = String(part.operationId ?? part.name ?? path.at(-1));
    const group = String(path.at(-2));
    const isNamed = ['properties', 'headers', 'responses', 'schemas', 'parameters', 'get', 'post', 'put'].includes(
      group,
    );
    // Problems are described in the schema that they refine.
    const isRefinement = path[1] === 'responses' && group === 'properties';
    if (isNamed && !isRefinement && !('$ref' in part) && !tells(part.description, name))
      undescribed.push(path.join('/'));
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
