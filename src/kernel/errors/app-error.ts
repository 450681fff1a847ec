import { type Hint, headersOf, type MessageValues, type RefusalCode, type RequestErrorCode } from './catalog.ts';
import type { Refusal } from './refusal.ts';

interface Details {
  /** Values of the message's placeholders. */
  values?: MessageValues;
  /** Response headers in addition to those of the code. */
  headers?: Record<string, string>;
  /** The invalid fields or parameters, by their REST names. */
  refusals?: readonly Refusal<number | string>[];
  hint?: Hint;
  cause?: unknown;
}

/** An error with a code from the catalog. Each surface has its own format for it. */
export class AppError extends Error {
  readonly code: RequestErrorCode | RefusalCode;
  readonly values: MessageValues;
  readonly headers: Record<string, string>;
  readonly refusals: readonly Refusal<number | string>[] | undefined;
  /** Key of a sentence that REST appends to the detail. */
  hint: Hint | undefined;

  constructor(
    code: RequestErrorCode | RefusalCode,
    { values = {}, headers = {}, refusals, hint, cause }: Details = {},
  ) {
    super(code, { cause });
    this.code = code;
    this.values = values;
    this.headers = { ...headersOf(code), ...headers };
    this.refusals = refusals;
    this.hint = hint;
  }
}
