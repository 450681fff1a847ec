import { isDeepStrictEqual } from 'node:util';
import type { BreakingChange } from '../change.ts';
import { type Documents, expanded } from './reference.ts';

export type Changes = Iterable<BreakingChange>;

// What is said about a part, and promises nothing.
const annotations = [
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  '$comment',
];

/** Whether a member of a part says something about it, and no more. */
export function isAnnotation(member: string): boolean {
  return annotations.includes(member) || member.startsWith('x-');
}

/** What is not the same and is not judged elsewhere: it might break clients, so it counts as if it did. */
export function* unjudged(
  was: object,
  is: object,
  judged: readonly string[],
  place: string,
  { released, current }: Documents,
): Changes {
  const [before, after] = [was as Record<string, unknown>, is as Record<string, unknown>];
  for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (judged.includes(member) || isAnnotation(member)) continue;
    if (isDeepStrictEqual(expanded(released, before[member]), expanded(current, after[member]))) continue;
    yield `${place}: ${different(member, before[member], after[member])}, which nobody can judge`;
  }
}

/** What has become of a member, in words. */
export function different(member: string, was: unknown, is: unknown): string {
  return `${member} was ${JSON.stringify(was) ?? 'none'}, and is ${JSON.stringify(is) ?? 'none'}`;
}
