import type { Locale } from '../localization/locale.ts';
import { type MessageValues, messageOf, type RefusalCode } from './catalog.ts';

/** One reason why a mutation was rejected: a field of its input and its error. */
export interface Refusal<Id extends number | string = number> {
  code: RefusalCode;
  /** The path of the argument; the last part is the field. */
  path: readonly string[];
  /** The offending ids under the name of their kind, such as `itemIds`. */
  ids?: Record<string, readonly Id[]>;
  /** Values of the message's placeholders. */
  values?: MessageValues;
}

/** Thrown inside a transaction to roll it back; lists every broken rule. */
export class RefusedError extends Error {
  readonly refusals: readonly Refusal[];

  constructor(...refusals: readonly Refusal[]) {
    super(refusals.map((refusal) => refusal.code).join(', '));
    this.refusals = refusals;
  }
}

/** What a write returns: its result, or why the rules reject it. */
export type Outcome<Result> = { result: Result; refusals?: never } | { result?: never; refusals: readonly Refusal[] };

/** Turns a RefusedError into a value; rejects with other errors. */
export async function outcomeOf<Result>(work: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work };
  } catch (error) {
    if (error instanceof RefusedError) return { refusals: error.refusals };
    throw error;
  }
}

// Maximum ids in a message; the refusal has all of them.
const namedIds = 20;

export function refusalMessage({ code, path, ids = {}, values }: Refusal<number | string>, locale: Locale): string {
  const shown = Object.entries(ids).map(([kind, all]) => [kind, shorten(all)]);
  return messageOf(code, locale, { field: path.at(-1) ?? '', ...Object.fromEntries(shown), ...values });
}

function shorten(ids: readonly (number | string)[]): readonly (number | string)[] {
  return ids.length > namedIds ? [...ids.slice(0, namedIds), '…'] : ids;
}
