import type { Locale } from '../localization/locale.ts';
import { formatMessage, type MessageValues, type ValidationCode } from './catalog.ts';

export interface ValidationError<Id extends number | string = number> {
  code: ValidationCode;
  /** The path of the argument; the last part is the field. */
  path: readonly string[];
  ids?: Record<string, readonly Id[]>;
  values?: MessageValues;
}

/** Thrown in a transaction to roll it back. */
export class ValidationFailedError extends Error {
  readonly validationErrors: readonly ValidationError[];

  constructor(...validationErrors: readonly ValidationError[]) {
    super(validationErrors.map((validationError) => validationError.code).join(', '));
    this.validationErrors = validationErrors;
  }
}

export type Result<Value> =
  | { value: Value; validationErrors?: never }
  | { value?: never; validationErrors: readonly ValidationError[] };

export async function toResult<Value>(work: Promise<Value>): Promise<Result<Value>> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof ValidationFailedError) return { validationErrors: error.validationErrors };
    throw error;
  }
}

const maxIdsInMessage = 20;

export function formatValidationError(
  { code, path, ids = {}, values }: ValidationError<number | string>,
  locale: Locale,
): string {
  const idLists = Object.entries(ids).map(([kind, list]) => [kind, truncate(list)]);
  return formatMessage(code, locale, { field: path.at(-1) ?? '', ...Object.fromEntries(idLists), ...values });
}

function truncate(ids: readonly (number | string)[]): readonly (number | string)[] {
  return ids.length > maxIdsInMessage ? [...ids.slice(0, maxIdsInMessage), '…'] : ids;
}
