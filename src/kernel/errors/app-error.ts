import { headersOf, type MessageValues, type RefusalCode, type RequestErrorCode } from './catalog.ts';

interface Details {
  /** Values of the message's placeholders. */
  values?: MessageValues;
  /** Response headers in addition to those of the code. */
  headers?: Record<string, string>;
  /** Messages for each invalid field or parameter, in the caller's language. */
  fields?: Record<string, string[]>;
  cause?: unknown;
}

/** An error with a code of the catalog. Each surface writes it in its own format. */
export class AppError extends Error {
  readonly code: RequestErrorCode | RefusalCode;
  readonly values: MessageValues;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, string[]> | undefined;
  /** A sentence that REST adds to the detail, in the caller's language. */
  hint: string | undefined;

  constructor(code: RequestErrorCode | RefusalCode, { values = {}, headers = {}, fields, cause }: Details = {}) {
    super(code, { cause });
    this.code = code;
    this.values = values;
    this.headers = { ...headersOf(code), ...headers };
    this.fields = fields;
  }
}
