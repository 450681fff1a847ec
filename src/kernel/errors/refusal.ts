import type { Locale } from '../localization/locale.ts';
import { type MessageValues, messageOf, type RefusalCode } from './catalog.ts';

/** One reason why a mutation was refused: what is wrong with which field of its input. */
export interface Refusal<Field extends string = string> {
  code: RefusalCode;
  field: Field;
  /** The offending items, where the code is about items. */
  itemIds?: number[];
  /** Values of the message's placeholders. */
  values?: MessageValues;
}

/** Thrown inside the transaction where a rule is broken, and so rolls it back; carries every reason found. */
export class RefusedError extends Error {
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly Refusal[]) {
    super(refusals.map((refusal) => refusal.code).join(', '));
    this.refusals = refusals;
  }
}

// A message names so many ids; the whole list is in `itemIds`.
const namedIds = 20;

export function refusalMessage({ code, itemIds = [], values }: Refusal, locale: Locale): string {
  const named = itemIds.slice(0, namedIds).join(', ') + (itemIds.length > namedIds ? ', …' : '');
  return messageOf(code, locale, { itemIds: named, ...values });
}
