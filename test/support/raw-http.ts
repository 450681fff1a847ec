import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as its bytes on the wire: nothing is checked, normalized or added except the length of the body. */
export interface RawRequest {
  method: string;
  target: string;
  headers: (readonly [name: string, value: string])[];
  body?: Uint8Array | undefined;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
  /** Sends only this share of the bytes, then ends the stream. */
  sent?: number;
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

const answerTimeout = 60_000;

export const get = (target: string): RawRequest => ({ method: 'GET', target, headers: [] });

/** A request with a body, by default JSON. */
export function send(method: string, target: string, body: string, type = 'application/json'): RawRequest {
  return { method, target, headers: [['Content-Type', type]], body: Buffer.from(body) };
}

/** Connects to a service; on Linux, any address of 127.0.0.0/8 can be the source. */
export function openSocket(url: string, localAddress = '127.0.0.1'): Socket {
  // The service may reject a request before reading all of it.
  return connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => {});
}

/** Everything that a connection receives until it closes. */
export async function readText(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

/** Sends bytes whose last request closes the connection; resolves to everything received. */
export function exchangeText(url: string, bytes: string, localAddress?: string): Promise<string> {
  const socket = openSocket(url, localAddress);
  socket.write(bytes, 'latin1');
  return readText(socket);
}

/** Sends a request; resolves to the response, or to undefined if the connection closed without one. */
export async function exchangeRaw(
  url: string,
  request: RawRequest,
  host = 'localhost',
): Promise<RawAnswer | undefined> {
  const { method, target, headers, body = Buffer.alloc(0), chunked, sent = 1 } = request;
  const framing = chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)];
  const lines = [['Host', host], ['Connection', 'close'], ...headers, ...(request.body === undefined ? [] : [framing])];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`;
  const bytes = Buffer.concat([Buffer.from(head, 'latin1'), ...(chunked ? toChunks(body) : [body])]);
  const socket = openSocket(url);
  socket.setTimeout(answerTimeout, () => socket.destroy());
  if (sent === 1) socket.write(bytes);
  else socket.end(bytes.subarray(0, Math.floor(bytes.length * sent)));
  const [, status = '', fields = '', text = ''] =
    /^(?:HTTP\/1\.1 1[^\r]*\r\n\r\n)?HTTP\/1\.1 (\d+) [^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(await readText(socket)) ?? [];
  if (status === '') return undefined;
  const received = [...fields.matchAll(/^(.+?): (.*)$/gm)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  return { status: Number(status), headers: new Headers(received), body: text };
}

/** A response to GET as it is on the wire; `fetch` would decompress it and hide a 304. */
export async function getRaw(url: string, headers: Record<string, string> = {}) {
  const [response]: [IncomingMessage] = (await once(httpGet(url, { headers }), 'response')) as never;
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

function toChunks(body: Uint8Array): Uint8Array[] {
  const half = Math.ceil(body.length / 2);
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((chunk) => chunk.length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return [...framed, Buffer.from('0\r\n\r\n')];
}
