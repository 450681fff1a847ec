import type { Locale } from '../localization/locale.ts';
import ar from './messages.ar.json' with { type: 'json' };
import en from './messages.en.json' with { type: 'json' };

/** Errors of whole requests: a problem on REST, a top-level error on GraphQL. */
export const requestErrors = {
  malformed_request: 400,
  malformed_body: 400,
  invalid_parameter: 400,
  query_too_complex: 400,
  unauthenticated: 401,
  read_only_token: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  conflict: 409,
  idempotency_key_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  validation_failed: 422,
  mutation_skipped: 424,
  rate_limited: 429,
  headers_too_large: 431,
  internal_server_error: 500,
  overloaded: 503,
  service_unavailable: 503,
};

/** Invalid input of a mutation: `userErrors` on GraphQL, a problem with `errors` on REST. */
const validationErrors = {
  required: 422,
  invalid_type: 422,
  invalid_length: 422,
  invalid_characters: 422,
  too_many_items: 422,
  item_not_found: 422,
  item_not_product: 422,
  product_tag_not_found: 404,
  version_mismatch: 412,
};

export type RequestErrorCode = keyof typeof requestErrors;
export type ValidationCode = keyof typeof validationErrors;
type Code = RequestErrorCode | ValidationCode;

const statuses = { ...requestErrors, ...validationErrors };

const headers: Partial<Record<Code, Record<string, string>>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer realm="partner-gateway"' },
  overloaded: { 'Retry-After': '1' },
  service_unavailable: { 'Retry-After': '5' },
  idempotency_key_in_use: { 'Retry-After': '1' },
};

export const toHttpStatus = (code: Code) => statuses[code];

export const toErrorHeaders = (code: Code) => headers[code] ?? {};

export const toGraphQLCode = (code: Code) => (code === 'invalid_parameter' ? 'BAD_USER_INPUT' : code.toUpperCase());

export type Expectation = keyof typeof en.expectations;

export type LimitName = keyof typeof en.limits;

const texts: Record<Locale, typeof en> = { en, ar };

type Value = string | number;

/** `expected` and `limit` name texts, `field` names a field; arrays become lists. */
export type MessageValues = Record<string, Value | readonly Value[]> & { expected?: Expectation; limit?: LimitName };

export function formatMessage(code: Code, locale: Locale, values: MessageValues = {}): string {
  const { errors, expectations, limits, listSeparator } = texts[locale];
  const fields: Record<string, string> = texts[locale].fields;
  const message = errors[code].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the message of ${code} lacks ${name}`);
    if (name === 'expected' && values.expected) return expectations[values.expected];
    if (name === 'limit' && values.limit) return limits[values.limit];
    if (name === 'field') return fields[toCamelCase(String(value))] ?? String(value);
    return Array.isArray(value) ? value.join(listSeparator) : String(value);
  });
  // After Arabic letters, "-1" without a left-to-right mark is shown as "1-".
  return locale === 'ar' ? message.replace(/(?<![\w-])-(?=\d)/g, '\u200E-') : message;
}

export type Hint = keyof typeof en.hints;

export function formatHint(hint: Hint, locale: Locale): string {
  return texts[locale].hints[hint];
}

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
