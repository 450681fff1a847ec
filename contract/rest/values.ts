import { isDeepStrictEqual } from 'node:util';
import { type SchemaObject, typesOf, valuesOf } from './json-schema.ts';
import type { Changes } from './members.ts';
import type { Direction } from './schema.ts';

/** What breaks of types, and of values that are listed. */
export function* valueChanges(was: SchemaObject, is: SchemaObject, direction: Direction, at: string): Changes {
  for (const [what, listed] of Object.entries({ types: typesOf, values: valuesOf })) {
    const [narrow, wide] = direction === 'request' ? [listed(was), listed(is)] : [listed(is), listed(was)];
    if (wide === undefined) continue;
    const beyond = narrow?.filter((value) => !wide.some((other) => isOf(value, other)));
    if (beyond === undefined) {
      yield `${at} ${direction === 'request' ? 'takes only' : 'is no longer only'} ${words(wide)}`;
    } else if (beyond.length > 0) {
      yield `${at} ${direction === 'request' ? 'no longer takes' : 'may now have'} the ${what} ${words(beyond)}`;
    }
  }
}

// An integer is a number too.
function isOf(value: unknown, other: unknown): boolean {
  return isDeepStrictEqual(value, other) || (value === 'integer' && other === 'number');
}

function words(values: unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
}
