import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';
import type { BreakingChange } from './change.ts';

// What a client that names all its arguments and fields does not notice.
const harmless: string[] = [DangerousChangeType.OPTIONAL_ARG_ADDED, DangerousChangeType.OPTIONAL_INPUT_FIELD_ADDED];

/** What breaks, or could break, clients of a schema; enum values that they do not know among it. */
export function graphqlChanges(released: string, current: string): BreakingChange[] {
  const [before, after] = [buildSchema(released), buildSchema(current)];
  const dangerous = findDangerousChanges(before, after).filter(({ type }) => !harmless.includes(type));
  return [...findBreakingChanges(before, after), ...dangerous].map(({ description }) => `GraphQL: ${description}`);
}
