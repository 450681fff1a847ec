import { type Changes, unjudged } from './members.ts';
import type { Documents } from './reference.ts';
import { type Direction, type Schema, schemaChanges } from './schema.ts';

/** Bodies by their media type. */
export type Content = Record<string, { schema?: Schema }>;

/** What breaks of bodies: a request may be of further types, an answer is of the types that it was. */
export function* contentChanges(
  was: Content | undefined = {},
  is: Content | undefined = {},
  direction: Direction,
  name: string,
  documents: Documents,
): Changes {
  for (const [type, body] of Object.entries(was)) {
    const now = is[type];
    if (now === undefined) {
      yield `${name} is no longer ${type}`;
      continue;
    }
    const place = Object.keys(was).length > 1 ? `${name} (${type})` : name;
    yield* schemaChanges(body.schema, now.schema, place, { ...documents, direction });
    yield* unjudged(body, now, ['schema'], place, documents);
  }
  if (direction === 'request') return;
  for (const type of Object.keys(is)) if (was[type] === undefined) yield `${name} may now be ${type}`;
}
