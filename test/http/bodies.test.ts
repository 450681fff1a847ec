import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { exchangeRaw, type RawRequest, send } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const { token } = await app.createTenant();

/** Maximum length of a body in bytes, as sent and decompressed. */
const max = 524_288;

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
const apis = [
  ['/graphql', '{"query":"{ services { id } }"}', 200, 'PAYLOAD_TOO_LARGE'],
  ['/partner_portal/v1/product_tags', '{"name_en":"Spicy"}', 201, 'payload_too_large'],
] as const;

async function post(path: string, body: Buffer, coding?: string, more: Partial<RawRequest> = {}) {
  const request = send('POST', path, '');
  const headers = [
    ...request.headers,
    ['Authorization', `Bearer ${token}`] as const,
    ...(coding === undefined ? [] : [['Content-Encoding', coding] as const]),
  ];
  const answer = await exchangeRaw(app.url, { ...request, headers, body, ...more });
  return { status: answer?.status, body: JSON.parse(answer?.body ?? '{}') };
}

describe.each(apis)('the largest body of %s has 524,288 bytes', (path, text, status, code) => {
  const rejection = { status: 413, body: path === '/graphql' ? { errors: [{ extensions: { code } }] } : { code } };

  test.each([true, false])('as sent, in chunks: %s', async (chunked) => {
    const largest = Buffer.from(text.padEnd(max));
    expect(await post(path, largest, undefined, { chunked })).toMatchObject({ status });
    expect(await post(path, Buffer.concat([largest, Buffer.from(' ')]), undefined, { chunked })).toMatchObject(
      rejection,
    );
  });

  test.each(Object.entries(codings))('decompressed from %s', async (coding, compress) => {
    expect(await post(path, compress(text.padEnd(max)), coding)).toMatchObject({ status });
    expect(await post(path, compress(text.padEnd(max + 1)), coding)).toMatchObject(rejection);
  });

  test('in an unknown coding it is rejected, also if the response to the same bytes is cached', async () => {
    expect(await post(path, Buffer.from(text))).toMatchObject({ status });
    expect(await post(path, Buffer.from(text), 'snappy')).toMatchObject({ status: 415 });
  });
});
