import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RawRequest } from '../raw-http.ts';
import { type Header, strangeHeaders } from './corpus.ts';
import { mostly } from './values.ts';

/** A request before the headers that any has. */
export interface Routed {
  method: string;
  target: string;
  content: Content;
}

/** A body and the headers that tell of it. */
export interface Content {
  headers: Header[];
  body?: Uint8Array;
}

export const jsonType = 'application/json';
export const formType = 'application/x-www-form-urlencoded';

/** Requests with a token and headers, whole and in one piece, mostly. */
export function requests(routed: fc.Arbitrary<Routed>, token: string): fc.Arbitrary<RawRequest> {
  const parts = fc.record({
    routed,
    headers: headersOf(token),
    chunked: mostly(fc.constant(false), fc.constant(true)),
    sent: mostly<number | undefined>(fc.constant(undefined), fc.double({ min: 0, max: 0.99, noNaN: true })),
  });
  return parts.map(({ routed: { method, target, content }, headers, chunked, sent }) =>
    printable({
      method,
      target,
      headers: [...headers, ...content.headers],
      body: content.body,
      chunked,
      ...(sent !== undefined && { sent }),
    }),
  );
}

// As a failing run prints it.
function printable(request: RawRequest): RawRequest {
  const { method, target, headers, body = '', chunked, sent } = request;
  const text = Buffer.from(body).toString('latin1').slice(0, 2_000);
  const print = () =>
    JSON.stringify({ method, target: target.slice(0, 2_000), headers, chunked, sent, length: body.length, text });
  return { ...request, [fc.toStringMethod]: print } as RawRequest;
}

function headersOf(token: string): fc.Arbitrary<Header[]> {
  const credentials = mostly(
    fc.constant(`Bearer ${token}`),
    fc.constantFrom(
      '',
      'Bearer',
      `Basic ${token}`,
      `Bearer ${token}x`,
      `bearer  ${token} `,
      `Bearer pp_${'A'.repeat(43)}`,
    ),
  );
  const accepts = mostly<Header[]>(
    fc.constant([]),
    fc
      .constantFrom(
        '',
        '*/*',
        jsonType,
        'application/graphql-response+json',
        'text/html',
        'multipart/mixed',
        'a/b;q=9',
        ';',
      )
      .map((accept) => [['Accept', accept]]),
  );
  const others = mostly<Header[]>(
    fc.constant([]),
    fc.array(fc.constantFrom(...strangeHeaders), { minLength: 1, maxLength: 3 }),
  );
  return fc
    .record({ credentials, accepts, others, language: fc.constantFrom('ar', 'en', 'ar-SA, en;q=0.5') })
    .map(({ credentials, accepts, others, language }) => [
      ['Authorization', credentials],
      ['Accept-Language', language],
      ...accepts,
      ...others,
    ]);
}

const writings: Record<string, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text),
  latin1: (text) => Buffer.from(text, 'latin1'),
  utf16: (text) => Buffer.from(text, 'utf16le'),
  mark: (text) => Buffer.from(`\ufeff${text}`),
  invalid: (text) => Buffer.from(`${text.slice(0, 12)}\u00c3(\u00ff${text.slice(12)}`, 'latin1'),
  cut: (text) => Buffer.from(text.slice(0, text.length / 2)),
  doubled: (text) => Buffer.from(text + text),
};

const codings: Record<string, (bytes: Buffer) => Buffer> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  'gzip, gzip': (bytes) => gzipSync(gzipSync(bytes)),
  GZIP: (bytes) => gzipSync(bytes).subarray(0, -5),
  'x-gzip': () => gzipSync(Buffer.alloc(20 * 1024 * 1024)),
  snappy: (bytes) => bytes,
};

const types = [
  ...[
    `${jsonType}; charset=latin1`,
    `${jsonType}; charset=utf-16`,
    `${jsonType}; charset=`,
    `${jsonType};`,
    jsonType,
    formType,
  ],
  ...[
    `${formType}; charset=iso-8859-1`,
    `${formType}; charset=utf-7`,
    'application/vnd.api+json',
    'application/graphql',
  ],
  ...['text/plain', 'multipart/form-data; boundary=x', 'a', '', '/'],
];

/** A text as UTF-8 of that type, mostly; else written or labelled in another way. */
export function contents(text: fc.Arbitrary<string>, type: string): fc.Arbitrary<Content> {
  return fc
    .record({
      text,
      writing: mostly(fc.constant('utf8'), fc.constantFrom(...Object.keys(writings))),
      type: mostly(fc.constant(type), fc.constantFrom(...types)),
      coding: mostly<string | undefined>(fc.constant(undefined), fc.constantFrom(...Object.keys(codings))),
    })
    .map(({ text, writing, type, coding }) => {
      const written = writings[writing]?.(text) as Buffer;
      if (coding === undefined) return content(type, written);
      const { headers, body } = content(type, codings[coding]?.(written) as Buffer);
      return { headers: [...headers, ['Content-Encoding', coding]], body };
    });
}

export function content(type: string, body: string | Buffer): Required<Content> {
  return { headers: [['Content-Type', type]], body: Buffer.from(body) };
}
