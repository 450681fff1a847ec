import { opened, type Schema, type SchemaObject, typesOf } from './json-schema.ts';
import { type Changes, isAnnotation } from './members.ts';
import type { Scope, schemaChanges } from './schema.ts';

const anyType = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** Whether a schema is one of several. */
export function hasAlternatives({ anyOf, oneOf }: SchemaObject): boolean {
  return (anyOf ?? oneOf) !== undefined;
}

/** What breaks: of alternatives, each that clients send must still be one, and each that they get must have been one. */
export function* alternativeChanges(
  was: SchemaObject,
  is: SchemaObject,
  at: string,
  scope: Scope,
  compare: typeof schemaChanges,
): Changes {
  const isRequest = scope.direction === 'request';
  const [known, others] = isRequest ? [split(was), split(is)] : [split(is), split(was)];
  const changes = (one: Schema, other: Schema) => compare(isRequest ? one : other, isRequest ? other : one, at, scope);
  for (const [index, each] of known.entries()) {
    // Those with a name stay themselves, whatever becomes of them.
    const namesake = others.find((other) => reference(each) !== undefined && reference(other) === reference(each));
    if (namesake === undefined && others.some((other) => isNone(changes(each, other)))) continue;
    const counterpart = namesake ?? (known.length === others.length ? others[index] : undefined);
    if (counterpart !== undefined) yield* changes(each, counterpart);
    else yield `${at} ${isRequest ? 'no longer takes' : 'may now be'} ${reference(each) ?? JSON.stringify(each)}`;
  }
  if (isRequest && mayBeTwo(was, is, scope, compare)) yield `${at} may now be refused as two alternatives at once`;
}

// A schema for each alternative, with what is so for all of them; several types are alternatives too.
function split({ anyOf, oneOf, ...rest }: SchemaObject): Schema[] {
  const [several, other] = oneOf ? [oneOf, anyOf && { anyOf }] : [anyOf ?? [{}], undefined];
  const all = { ...rest, ...other };
  return several.map((each) => together(all, each)).flatMap(byType);
}

function together(all: SchemaObject, each: Schema): Schema {
  if (Object.keys(all).length === 0) return each;
  const own = typeof each === 'boolean' ? undefined : Object.keys(each).filter((keyword) => !isAnnotation(keyword));
  // Beside `additionalProperties`, properties would mean something else.
  const isApart = own?.every((keyword) => !(keyword in all) && !/Properties$/.test(keyword));
  return isApart && !('additionalProperties' in all)
    ? { ...all, ...(each as SchemaObject) }
    : { ...all, allOf: [...(all.allOf ?? []), each] };
}

function byType(schema: Schema): Schema[] {
  if (typeof schema === 'boolean' || !Array.isArray(schema.type)) return [schema];
  return schema.type.map((type) => ({ ...schema, type }));
}

function reference(schema: Schema): string | undefined {
  return typeof schema === 'boolean' ? undefined : schema.$ref;
}

// Exactly one of `oneOf` is to fit: where they are others than they were, what fits one of them may fit two.
function mayBeTwo(was: SchemaObject, { oneOf }: SchemaObject, scope: Scope, compare: typeof schemaChanges): boolean {
  if (oneOf === undefined) return false;
  const { oneOf: before } = was;
  const areSame =
    before?.length === oneOf.length &&
    (['request', 'response'] as const).every((direction) =>
      oneOf.every((each, index) => isNone(compare(before[index], each, '', { ...scope, direction }))),
    );
  const types = oneOf.flatMap((each) => typesOf(opened(scope.current, each).schema) ?? anyType);
  return !areSame && new Set(types.map((type) => (type === 'integer' ? 'number' : type))).size < types.length;
}

function isNone(changes: Changes): boolean {
  return changes[Symbol.iterator]().next().done === true;
}
