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

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');

/** Whether a description says more than the name does. */
function tells(description: unknown, name: string): boolean {
  if (typeof description !== 'string') return false;
  const letters = (text: string) =>
    text
      .toLowerCase()
      .replace(/^(the|an?) /, '')
      .replace(/[^\p{L}\p{N}]/gu, '');
  return letters(description).length > 0 && letters(description) !== letters(name);
}

test.each<[unknown, string, boolean]>([
  [undefined, 'nameEn', false],
  ['', 'nameEn', false],
  [' . ', 'nameEn', false],
  ['Name en.', 'nameEn', false],
  ['The name_en', 'nameEn', false],
  ['English name.', 'nameEn', true],
])('%j as description of %s: %s', (description, name, expected) => {
  expect(tells(description, name)).toBe(expected);
});

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

test('every operation, parameter, property, header, response and schema of the REST description is described', async () => {
  const document = JSON.parse(await read('openapi.json'));
  const undescribed: string[] = [];
  let count = 0;
  const need = (path: string, name: string, description: unknown) => {
    count += 1;
    if (!tells(description, name)) undescribed.push(path);
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) visit(each, `${path}/${index}`);
      return;
    }
    const part = value as Record<string, unknown>;
    // An example has properties of its own, and what is referred to is described where it is.
    if (path.includes('/example')) return;
    const { operationId, responses } = part;
    if (operationId !== undefined && responses !== undefined) {
      need(`${path} (summary)`, String(operationId), part.summary);
      need(path, String(operationId), part.description);
    }
    if ('in' in part && 'name' in part) need(path, String(part.name), part.description);
    if (typeof part.title === 'string' && part.type === 'object') need(path, part.title, part.description);
    for (const group of ['properties', 'headers', 'responses', 'securitySchemes']) {
      for (const [name, each] of Object.entries((part[group] ?? {}) as Record<string, Record<string, unknown>>)) {
        if (each.$ref === undefined) need(`${path}/${group}/${name}`, name, each.description);
      }
    }
    for (const [key, each] of Object.entries(part)) visit(each, `${path}/${key}`);
  };
  visit(document, '');
  for (const { name, description } of document.tags) need(`tag ${name}`, name, description);
  expect(count).toBeGreaterThan(200);
  expect(undescribed).toEqual([]);
});
