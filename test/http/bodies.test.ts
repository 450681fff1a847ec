import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Admission, Capacity } from '../../src/platform/admission/admission.ts';
import { collectBodies, waitForBody } from '../../src/platform/http/body.ts';
import { bodyInTurn } from '../../src/platform/http/parse-body.ts';
import { listen } from '../../src/platform/http/server.ts';
import { exchangeRaw, openSocket, type RawRequest, send, textOf } from '../support/raw-http.ts';
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

  test.each(Object.keys(codings))('and the error of bytes that are not %s names it', async (coding) => {
    for (const body of [deflateRawSync(text), Buffer.from(text), gzipSync(text).subarray(0, -9)]) {
      const answer = await post(path, body, coding);
      expect(answer.status).toBe(400);
      expect(answer.body.detail ?? answer.body.errors[0].message).toContain(`Its Content-Encoding is ${coding}`);
    }
  });

  test('and 5,000 objects, lists and members', async () => {
    const withLists = (count: number) =>
      Buffer.from(text.replace('{', `{"unknown":${JSON.stringify(Array(count).fill([]))},`));
    // Beside one object, two members and the list of lists.
    expect(await post(path, withLists(4_996))).toMatchObject({ status });
    expect(await post(path, withLists(4_997))).toMatchObject(rejection);
  });

  test('and 50,000 entries', async () => {
    const withEntries = (count: number) =>
      gzipSync(text.replace('{', `{"unknown":${JSON.stringify(Array(count).fill(',,'))},`));
    // Beside the list and the member after it.
    expect(await post(path, withEntries(49_999), 'gzip')).toMatchObject({ status });
    expect(await post(path, withEntries(50_000), 'gzip')).toMatchObject(rejection);
  });

  test('in an unknown coding it is rejected, also if the response to the same bytes is cached', async () => {
    expect(await post(path, Buffer.from(text))).toMatchObject({ status });
    expect(await post(path, Buffer.from(text), 'snappy')).toMatchObject({ status: 415 });
  });
});

test('a client that does not read its response holds no place for its body', async () => {
  const capacity = new Capacity();
  const caller = {
    address: '192.0.2.1',
    partner: 1,
    requireClient() {},
    startDeadline: () => performance.now() + 60_000,
  };
  let responses = 0;
  const start: RequestHandler = (_request, response, next) => {
    Object.assign(response.locals, { context: {} });
    next();
  };
  const respond: RequestHandler = async (request, response) => {
    await bodyInTurn(request, response, new Admission(capacity, caller));
    responses += 1;
    response.end(Buffer.alloc(8 * 1024 * 1024));
  };
  const { url, drain } = await listen(express().use(start, collectBodies(), respond), { port: 0, host: '127.0.0.1' });
  onTestFinished(() => drain(0));
  for (let count = 1; count <= 5; count += 1) {
    const socket = openSocket(url).pause();
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`);
    await expect.poll(() => responses).toBe(count);
  }
});

test('beyond the bound of all bodies, the oldest of more than 16 KiB is dropped, whether it still arrives or waits', async () => {
  let arrived = 0;
  const [waited, handled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const start: RequestHandler = (request, response, next) => {
    request.on('data', (part: Buffer) => {
      arrived += part.length;
    });
    Object.assign(response.locals, { context: {} });
    next();
  };
  const handle: RequestHandler = async ({ url }, response) => {
    const body = await waitForBody(response);
    if (url === '/waits') await waited.promise;
    const { length } = body?.take() ?? {};
    if (url === '/parsed') await handled.promise;
    response.end(`whole: ${length}`);
  };
  const report: ErrorRequestHandler = ({ code }, _request, response, _next) => void response.end(`dropped: ${code}`);
  // There is room for three, and a short one.
  const limited = express().use(start, collectBodies(80_099), handle, report);
  const { url, drain } = await listen(limited, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => drain(0));
  /** Sends a body, or all but its last byte; resolves to what sends the rest and receives the response. */
  const begin = async (path: string, size = 19_999, total = 20_000) => {
    const socket = openSocket(url);
    const text = textOf(socket);
    const before = arrived;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${total}\r\n\r\n`);
    socket.write('x'.repeat(size));
    await expect.poll(() => arrived - before, { interval: 5 }).toBe(size);
    return async () => {
      socket.write('x'.repeat(total - size));
      return (await text).split('\r\n\r\n').at(-1);
    };
  };
  const short = await begin('/', 99, 100);
  const parsed = await begin('/parsed', 20_000);
  const waiting = [await begin('/waits', 20_000), await begin('/waits', 20_000)];
  const arriving = [];
  for (let number = 0; number < 4; number += 1) arriving.push(await begin('/'));
  waited.resolve();
  handled.resolve();
  expect(await Promise.all([parsed, ...waiting, ...arriving].map((end) => end()))).toEqual([
    'whole: 20000',
    ...Array(3).fill('dropped: overloaded'),
    ...Array(3).fill('whole: 20000'),
  ]);
  expect(await short()).toBe('whole: 100');
  // All of their memory is free again.
  const later = [];
  for (let number = 0; number < 3; number += 1) later.push(await begin('/'));
  expect(await Promise.all(later.map((end) => end()))).toEqual(Array(3).fill('whole: 20000'));
});
