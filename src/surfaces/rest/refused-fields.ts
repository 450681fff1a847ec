import { headersOf, type RefusalCode, type RequestErrorCode } from '../../kernel/errors/catalog.ts';

/** One refused field of a REST body: its v1 name and what is wrong, in the caller's language. */
export interface RefusedField {
  code: RefusalCode;
  field: string;
  message: string;
}

/** A body whose fields were refused. Its code is the one that all refusals share, else `validation_failed`. */
export class RefusedFieldsError extends Error {
  readonly code: RefusalCode | RequestErrorCode;
  readonly errors: Record<string, string[]>;
  readonly headers: Record<string, string>;

  constructor(refused: readonly RefusedField[]) {
    super('refused fields');
    const [code, ...others] = new Set(refused.map((field) => field.code));
    this.code = code === undefined || others.length > 0 ? 'validation_failed' : code;
    this.headers = headersOf(this.code);
    const byField = Map.groupBy(refused, (refusal) => refusal.field);
    this.errors = Object.fromEntries(
      [...byField].map(([field, group]) => [field, group.map(({ message }) => message)]),
    );
  }
}
