import { headersOf, type MessageValues, type RequestErrorCode } from './catalog.ts';

interface Details {
  /** Values of the message's placeholders. */
  values?: MessageValues;
  /** Response headers beside those that the code always has. */
  headers?: Record<string, string>;
  /** What is wrong with which parameter, in the caller's language. */
  fields?: Record<string, string[]>;
  cause?: unknown;
}

/** An error of the request as a whole, with a code of the catalog; each surface writes it in its own format. */
export class AppError extends Error {
  readonly code: RequestErrorCode;
  readonly values: MessageValues;
  readonly headers: Record<string, string>;
  readonly fields: Record<string, string[]> | undefined;

  constructor(code: RequestErrorCode, { values = {}, headers = {}, fields, cause }: Details = {}) {
    super(code, { cause });
    this.code = code;
    this.values = values;
    this.headers = { ...headersOf(code), ...headers };
    this.fields = fields;
  }
}
