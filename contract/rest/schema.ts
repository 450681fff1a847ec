import { alternativeChanges, hasAlternatives } from './alternatives.ts';
import { assertions } from './assertions.ts';
import { opened, type Schema, type SchemaObject, typesOf } from './json-schema.ts';
import { type Changes, different, unjudged } from './members.ts';
import { propertyChanges } from './properties.ts';
import type { Documents } from './reference.ts';
import { valueChanges } from './values.ts';

export type { Schema } from './json-schema.ts';

/** Whose values a schema is for: what clients send may not become less, what they get may not become more. */
export type Direction = 'request' | 'response';

/** What schemas are compared for, and which ones they are compared within. */
export interface Scope extends Documents {
  direction: Direction;
  within?: readonly string[];
}

const judged = ['type', 'const', 'enum', 'properties', 'required', 'additionalProperties', 'items', 'allOf'];

/** What breaks; changes of a schema that has the same name on both sides are told of it, others of their place. */
export function* schemaChanges(
  before: Schema | undefined,
  after: Schema | undefined,
  place: string,
  scope: Scope,
): Changes {
  const pair = JSON.stringify([scope.direction, before, after]);
  // The same two within themselves break what they break already.
  if (scope.within?.includes(pair)) return;
  const inner = { ...scope, within: [...(scope.within ?? []), pair] };
  const [was, is] = [opened(scope.released, before), opened(scope.current, after)];
  const at = was.name !== undefined && was.name === is.name ? was.name : place;
  if (hasAlternatives(was.schema) || hasAlternatives(is.schema)) {
    yield* alternativeChanges(was.schema, is.schema, at, inner, schemaChanges);
  } else {
    yield* keywordChanges(was.schema, is.schema, at, inner);
  }
}

function* keywordChanges(was: SchemaObject, is: SchemaObject, at: string, scope: Scope): Changes {
  const narrow = scope.direction === 'request' ? was : is;
  const concerns = (type?: string) => {
    const types = typesOf(narrow);
    return (
      type === undefined || types === undefined || types.some((one) => (one === 'integer' ? 'number' : one) === type)
    );
  };
  yield* valueChanges(was, is, scope.direction, at);
  yield* assertionChanges(was, is, at, scope, concerns);
  if (concerns('object')) yield* propertyChanges(was, is, at, scope, schemaChanges);
  const hasItems = was.items !== undefined || is.items !== undefined;
  if (hasItems && concerns('array')) yield* schemaChanges(was.items, is.items, `${at}[]`, scope);
  yield* partChanges(was.allOf ?? [], is.allOf ?? [], at, scope);
  yield* unjudged(was, is, [...judged, ...Object.keys(assertions)], at, scope);
}

function* assertionChanges(
  was: SchemaObject,
  is: SchemaObject,
  at: string,
  { direction }: Scope,
  concerns: (type?: string) => boolean,
): Changes {
  const [before, after] = [was as Record<string, unknown>, is as Record<string, unknown>];
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before];
  for (const [keyword, { of, implies }] of Object.entries(assertions)) {
    if (wide[keyword] === undefined || !concerns(of) || implies(narrow[keyword], wide[keyword])) continue;
    yield `${at}: ${different(keyword, before[keyword], after[keyword])}`;
  }
}

function* partChanges(was: Schema[], is: Schema[], at: string, scope: Scope): Changes {
  if (was.length !== is.length) yield `${at} is put together in another way`;
  else for (const [index, part] of was.entries()) yield* schemaChanges(part, is[index], at, scope);
}
