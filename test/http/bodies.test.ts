import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type RequestHandler } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Admission, ConcurrencyLimits } from '../../src/platform/admission/admission.ts';
import { readThenEnter } from '../../src/platform/http/body.ts';
import { listen } from '../../src/platform/http/server.ts';
import { exchangeRaw, openSocket, type RawRequest, send } from '../support/raw-http.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const { token } = await app.createTenant();

/** Maximum length of a body in bytes, as sent and decompressed. */
const max = 524_288;

const codings = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync };
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

  test.each(Object.keys(codings))('bytes that are not %s are rejected with the coding', async (coding) => {
    for (const body of [deflateRawSync(text), Buffer.from(text), gzipSync(text).subarray(0, -9)]) {
      const answer = await post(path, body, coding);
      expect(answer.status).toBe(400);
      const message = answer.body.detail ?? answer.body.errors[0].message;
      expect(message).toContain(`Content-Encoding is ${coding.replace('x-', '')}`);
    }
  });

  test('is rejected with an unknown coding, even if a response to the same bytes is cached', async () => {
    expect(await post(path, Buffer.from(text))).toMatchObject({ status });
    expect(await post(path, Buffer.from(text), 'snappy')).toMatchObject({ status: 415 });
  });
});

test('a client that does not read its response does not count towards the limit of bodies', async () => {
  const limits = new ConcurrencyLimits();
  const caller = {
    address: '192.0.2.1',
    partner: 1,
    waitMs: 0,
    throwIfDisconnected() {},
    startDeadline: () => performance.now() + 60_000,
  };
  let responses = 0;
  const start: RequestHandler = (_request, response, next) => {
    Object.assign(response.locals, { context: {} });
    next();
  };
  const respond: RequestHandler = async (request, response) => {
    await readThenEnter(request, response, new Admission(limits, { ...caller, response }));
    responses += 1;
    response.end(Buffer.alloc(8 * 1024 * 1024));
  };
  const { url, drain } = await listen(express().use(start, respond), { port: 0, host: '127.0.0.1' });
  onTestFinished(() => drain(0));
  for (let count = 1; count <= 9; count += 1) {
    const socket = openSocket(url).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`);
    await expect.poll(() => responses).toBe(count);
  }
});
