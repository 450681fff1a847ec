import type { Locale } from '../localization/locale.ts';
import ar from './messages.ar.json' with { type: 'json' };
import en from './messages.en.json' with { type: 'json' };

interface Entry {
  /** HTTP status, on both surfaces. */
  status: number;
  /** GraphQL's `extensions.code`, if it is not the code in capitals. */
  graphql?: string;
  /** Headers of every response with this code. */
  headers?: Record<string, string>;
}

/** Errors of a request as a whole: a problem on REST, a top-level error on GraphQL. */
export const requestErrors = {
  malformed_request: { status: 400 },
  malformed_body: { status: 400 },
  invalid_parameter: { status: 400, graphql: 'BAD_USER_INPUT' },
  query_too_complex: { status: 400 },
  unauthenticated: { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="partner-gateway"' } },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  not_acceptable: { status: 406 },
  request_timeout: { status: 408 },
  conflict: { status: 409 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  validation_failed: { status: 422 },
  rate_limited: { status: 429 },
  headers_too_large: { status: 431 },
  internal_server_error: { status: 500 },
  overloaded: { status: 503, headers: { 'Retry-After': '1' } },
  service_unavailable: { status: 503, headers: { 'Retry-After': '5' } },
} satisfies Record<string, Entry>;

/** Rejected input of a mutation: `userErrors` on GraphQL, a problem with `errors` on REST. */
const refusals = {
  required: { status: 422 },
  invalid_type: { status: 422 },
  invalid_length: { status: 422 },
  invalid_characters: { status: 422 },
  too_many_items: { status: 422 },
  item_not_found: { status: 422 },
  item_not_product: { status: 422 },
  product_tag_not_found: { status: 404 },
  version_mismatch: { status: 412 },
  idempotency_key_in_use: { status: 409, headers: { 'Retry-After': '1' } },
  idempotency_key_reused: { status: 422 },
} satisfies Record<string, Entry>;

export type RequestErrorCode = keyof typeof requestErrors;
export type RefusalCode = keyof typeof refusals;
type Code = RequestErrorCode | RefusalCode;

const catalog: Record<Code, Entry> = { ...requestErrors, ...refusals };

export function statusOf(code: Code): number {
  return catalog[code].status;
}

export function headersOf(code: Code): Record<string, string> {
  return catalog[code].headers ?? {};
}

/** The code as GraphQL spells it. */
export function graphqlCodeOf(code: Code): string {
  return catalog[code].graphql ?? code.toUpperCase();
}

/** Texts of the `{expected}` placeholder. */
export type Expectation = keyof typeof en.expectations;

/** The limits of GraphQL documents, and texts of the `{limit}` placeholder. */
export type LimitName = keyof typeof en.limits;

const texts: Record<Locale, typeof en> = { en, ar };

type Value = string | number;

/** Values of a message's placeholders: `expected` and `limit` name texts, `field` a field; arrays become lists. */
export type MessageValues = Record<string, Value | readonly Value[]> & { expected?: Expectation; limit?: LimitName };

/** The code's message in the locale, `{placeholders}` filled in. */
export function messageOf(code: Code, locale: Locale, values: MessageValues = {}): string {
  const { errors, expectations, limits, listSeparator } = texts[locale];
  // Other fields go by their own names.
  const fields: Record<string, string> = texts[locale].fields;
  return errors[code].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the message of ${code} lacks ${name}`);
    if (name === 'expected' && values.expected) return expectations[values.expected];
    if (name === 'limit' && values.limit) return limits[values.limit];
    if (name === 'field') return fields[camelCase(String(value))] ?? String(value);
    return Array.isArray(value) ? value.join(listSeparator) : String(value);
  });
}

// Fields have snake case names on REST.
function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
