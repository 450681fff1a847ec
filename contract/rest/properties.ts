import type { Schema, SchemaObject } from './json-schema.ts';
import type { Changes } from './members.ts';
import type { Scope, schemaChanges } from './schema.ts';

/** What breaks of the members of an object. One that is gone does either way: what it says is not told, or not heard. */
export function* propertyChanges(
  was: SchemaObject,
  is: SchemaObject,
  at: string,
  scope: Scope,
  compare: typeof schemaChanges,
): Changes {
  const { properties: before = {} } = was;
  const { properties: after = {} } = is;
  for (const [name, property] of Object.entries(before)) {
    if (after[name] === undefined) yield `${at}.${name} is gone`;
    else yield* compare(property, after[name], `${at}.${name}`, scope);
  }
  for (const [name, property] of Object.entries(after)) {
    if (before[name] === undefined)
      yield* additionChanges(was.additionalProperties, property, `${at}.${name}`, scope, compare);
  }
  yield* requirementChanges(was, is, at, scope);
  yield* otherChanges(was.additionalProperties, is.additionalProperties, at, scope, compare);
}

// In an object that is open, nothing was said about what is new; where others had a schema, it had that one.
function* additionChanges(
  others: Schema = true,
  property: Schema,
  place: string,
  scope: Scope,
  compare: typeof schemaChanges,
): Changes {
  if (typeof others !== 'boolean') yield* compare(others, property, place, scope);
  else if (!others && scope.direction === 'response') yield `${place} is new, where there was to be nothing else`;
}

function* requirementChanges(was: SchemaObject, is: SchemaObject, at: string, { direction }: Scope): Changes {
  const [narrow, wide] = direction === 'request' ? [was, is] : [is, was];
  for (const name of wide.required ?? []) {
    if (narrow.required?.includes(name)) continue;
    // What is gone is told already.
    if (direction === 'request') yield `${at}.${name} is now required`;
    else if (was.properties?.[name] === undefined || is.properties?.[name] !== undefined)
      yield `${at}.${name} may now be absent`;
  }
}

function* otherChanges(
  was: Schema = true,
  is: Schema = true,
  at: string,
  scope: Scope,
  compare: typeof schemaChanges,
): Changes {
  const [narrow, wide] = scope.direction === 'request' ? [was, is] : [is, was];
  if (narrow === false || wide === true) return;
  if (wide === false) yield `${at} ${scope.direction === 'request' ? 'takes no' : 'may now have'} other properties`;
  else yield* compare(was, is, `${at}.*`, scope);
}
