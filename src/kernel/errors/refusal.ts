import type { Locale } from '../localization/locale.ts';
import { type MessageValues, messageOf, type RefusalCode } from './catalog.ts';

/** One reason why a mutation was rejected: a field of its input and its error. */
export interface Refusal<ItemId extends number | string = number> {
  code: RefusalCode;
  field: string;
  /** The offending items, if the code is about items. */
  itemIds?: ItemId[];
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

// Maximum ids in a message; `itemIds` has all of them.
const namedIds = 20;

export function refusalMessage(
  { code, field, itemIds = [], values }: Refusal<number | string>,
  locale: Locale,
): string {
  const named = itemIds.length > namedIds ? [...itemIds.slice(0, namedIds), '…'] : itemIds;
  return messageOf(code, locale, { field, itemIds: named, ...values });
}
