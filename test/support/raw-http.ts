import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as its bytes go over the wire: nothing is checked, normalized or added but the length of the body. */
export interface RawRequest {
  method: string;
  target: string;
  headers: (readonly [name: string, value: string])[];
  body?: Uint8Array | undefined;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
  /** Sends no more than this share of the bytes, and then says that there are no more. */
  sent?: number;
}

export interface RawAnswer {
  status: number;
  /** In lower case; of a repeated one the values in a row. */
  headers: Map<string, string>;
  body: string;
}

const answerTimeout = 10_000;

/** Sends a request; resolves to the answer, or to undefined when the connection was closed without one. */
export async function exchangeRaw(
  url: string,
  request: RawRequest,
  host = 'localhost',
): Promise<RawAnswer | undefined> {
  const bytes = bytesOf(request, host);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer | undefined>();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let received = Buffer.alloc(0);
  socket.setTimeout(answerTimeout, () => reject(new Error('no answer in time')));
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    try {
      const answer = parseAnswer(received, request.method);
      if (answer !== undefined) resolve(answer);
    } catch (error) {
      reject(error);
    }
  });
  // Whoever refuses a request need not read it to its end.
  socket.on('error', () => resolve(undefined));
  socket.on('close', () => resolve(undefined));
  if (request.sent === undefined) socket.write(bytes);
  else socket.end(bytes.subarray(0, Math.floor(bytes.length * request.sent)));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** A response to GET as it comes over the wire; `fetch` would decompress it, and ask for no 304. */
export async function getRaw(url: string, headers: Record<string, string> = {}) {
  const [response]: [IncomingMessage] = (await once(get(url, { headers }), 'response')) as never;
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

function bytesOf({ method, target, headers, body, chunked }: RawRequest, host: string): Buffer {
  const framing =
    body === undefined ? [] : [chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]];
  const lines = [['Host', host], ...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (body === undefined) return head;
  return Buffer.concat(chunked ? [head, chunksOf(body)] : [head, body]);
}

function chunksOf(body: Uint8Array): Buffer {
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((chunk) => chunk.length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

function parseAnswer(received: Buffer, method: string): RawAnswer | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = received.subarray(end + 4);
  if (status < 200) return parseAnswer(rest, method);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const length = hasBody ? Number(headers.get('content-length')) : 0;
  if (Number.isNaN(length)) throw new Error(`an answer without a length:\n${received.toString('latin1')}`);
  return rest.length < length ? undefined : { status, headers, body: rest.subarray(0, length).toString() };
}
