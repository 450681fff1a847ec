/** What a change breaks, in a sentence that stays the same while the change is there. */
export type BreakingChange = string;

/** A breaking change that is made on purpose. */
export interface Exception {
  change: BreakingChange;
  reason: string;
}

/** What is wrong: changes that are no exceptions, and exceptions that no change needs. Empty when nothing is. */
export function complaintsAbout(changes: readonly BreakingChange[], exceptions: readonly Exception[]): string[] {
  const excepted = new Set(exceptions.map(({ change }) => change));
  const unreasoned = exceptions.filter(({ reason }) => !/\S/.test(reason));
  return [
    ...changes
      .filter((change) => !excepted.has(change))
      .map((change) => `This breaks clients of the last release: ${change}`),
    ...[...excepted]
      .filter((change) => !changes.includes(change))
      .map((change) => `This exception is for no change, remove it: ${change}`),
    ...unreasoned.map(({ change }) => `This exception has no reason: ${change}`),
  ];
}
