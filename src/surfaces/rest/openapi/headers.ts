import type { HeaderObject, ReferenceObject } from 'openapi3-ts/oas31';

const text = (description: string, example: string, schema = {}): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'string', ...schema },
  example,
});

/** Every header that an answer of v1 can have, beside those that any HTTP answer has. */
export const responseHeaders = {
  'X-Request-Id': text(
    'Names the request, in the log of the service too: the one sent, where it was acceptable.',
    '5f0c1a52-7d3e-4c1b-9a43-0d6f2a1b8c90',
    { pattern: '^[\\w.:-]{8,128}$' },
  ),
  'Content-Language': text('The language of names and messages.', 'ar', { enum: ['en', 'ar'] }),
  Vary: text('What of a request the answer goes by.', 'Accept-Language'),
  'Cache-Control': text(
    'Reference data may be kept, and asked for by its `ETag` before each use; anything else is not to be kept.',
    'public, no-cache',
    { enum: ['public, no-cache', 'private, no-store'] },
  ),
  ETag: text('The version of the list, for `If-None-Match`.', 'W/"1a6-9IrV8YSfpRpKzla9FfZsHCQDsEU"', {
    pattern: '^(W/)?"[^"]+"$',
  }),
  Location: text('The path of the new tag.', '/partner_portal/v1/product_tags/1', {
    pattern: '^/partner_portal/v1/product_tags/[1-9][0-9]*$',
  }),
  'Idempotency-Replayed': text('The tag was created by an earlier request with this `Idempotency-Key`.', 'true', {
    const: 'true',
  }),
  Allow: text('The methods of the path.', 'GET, HEAD', { pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  'WWW-Authenticate': text('How to say who is calling.', 'Bearer realm="partner-gateway"', { pattern: '^Bearer ' }),
  'Retry-After': text('After so many seconds it may be asked again.', '5', { pattern: '^[0-9]+$' }),
  'RateLimit-Policy': text(
    'The limits that count the request: `q` requests in `w` seconds, each a caller (draft-ietf-httpapi-ratelimit-headers).',
    '"address-reads";q=24000;w=60, "token-reads";q=12000;w=60',
    { pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+(, "[a-z-]+";q=[0-9]+;w=[0-9]+)*$' },
  ),
  RateLimit: text(
    'What is left of each limit: `r` requests in the next `t` seconds.',
    '"address-reads";r=23998;t=58, "token-reads";r=11998;t=58',
    { pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+(, "[a-z-]+";r=[0-9]+;t=[0-9]+)*$' },
  ),
} satisfies Record<string, HeaderObject>;

/** The `ETag` of a tag, which is a strong one. */
export const tagVersion = text('The version of the tag, for `If-Match`.', '"0WMcM7P8-YhgcGCN8JDS8f"', {
  pattern: '^"[\\w-]+"$',
});

export type HeaderName = keyof typeof responseHeaders;

/** Headers of a response: those it always has, and those it may have. */
export function headersOf(
  always: readonly HeaderName[],
  sometimes: readonly HeaderName[] = [],
): Record<string, HeaderObject | ReferenceObject> {
  const optional = sometimes.filter((name) => !always.includes(name));
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...optional.map((name) => [name, { ...responseHeaders[name], required: false }]),
  ]);
}
