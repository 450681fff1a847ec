import type { Locale } from '../localization/locale.ts';
import { formatMessage, type MessageValues, type ValidationCode } from './catalog.ts';

/** One reason why a mutation was rejected: a field of its input and its error. */
export interface ValidationError<Id extends number | string = number> {
  code: ValidationCode;
  /** The path of the argument; the last part is the field. */
  path: readonly string[];
  /** The offending ids under the name of their kind, such as `itemIds`. */
  ids?: Record<string, readonly Id[]>;
  /** Values of the message's placeholders. */
  values?: MessageValues;
}

/** Thrown inside a transaction to roll it back; lists every broken rule. */
export class ValidationFailedError extends Error {
  readonly validationErrors: readonly ValidationError[];

  constructor(...validationErrors: readonly ValidationError[]) {
    super(validationErrors.map((validationError) => validationError.code).join(', '));
    this.validationErrors = validationErrors;
  }
}

/** What a write returns: its result, or why the rules reject it. */
export type Outcome<Result> =
  | { result: Result; validationErrors?: never }
  | { result?: never; validationErrors: readonly ValidationError[] };

/** Turns a ValidationFailedError into a value; rejects with other errors. */
export async function toOutcome<Result>(work: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await work };
  } catch (error) {
    if (error instanceof ValidationFailedError) return { validationErrors: error.validationErrors };
    throw error;
  }
}

// Maximum ids in a message; the validation error has all of them.
const maxIdsInMessage = 20;

export function formatValidationError(
  { code, path, ids = {}, values }: ValidationError<number | string>,
  locale: Locale,
): string {
  const shown = Object.entries(ids).map(([kind, all]) => [kind, shorten(all)]);
  return formatMessage(code, locale, { field: path.at(-1) ?? '', ...Object.fromEntries(shown), ...values });
}

function shorten(ids: readonly (number | string)[]): readonly (number | string)[] {
  return ids.length > maxIdsInMessage ? [...ids.slice(0, maxIdsInMessage), '…'] : ids;
}
