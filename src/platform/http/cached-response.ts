import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import { currentScope } from '../../kernel/request/scope.ts';
import { type Body, bodyOf, send } from './response.ts';

type Encoding = 'br' | 'gzip' | 'identity';

// The smallest first.
const encodings: Encoding[] = ['br', 'gzip', 'identity'];

/** The smallest encoding that an `Accept-Encoding` header accepts. */
const acceptedEncoding = remember(memoryBounds.encodings, (header): Encoding => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(encodings);
  return encodings.find((each) => accepted.includes(each)) ?? 'identity';
});

/** In bytes; below it, compression saves less than its header takes. */
const smallestToCompress = 1_024;

// Compressed once and sent often, but while a client waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

type Compression = Exclude<Encoding, 'identity'>;

const compress: Record<Compression, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

/** The headers of a response that belong to it, not to the request. */
const storedHeaders = ['Content-Type', 'Cache-Control', 'ETag'];

interface Encoded {
  /** Names and values in turn. */
  headers: string[];
  body: Body;
}

/** A successful response as bytes, to send any number of times; each encoding is made on first use. */
export class CachedResponse {
  readonly endpoint = currentScope()?.endpoint;
  /** Names and values in turn. */
  readonly #headers: string[];
  readonly #etag: string;
  readonly #identity: Encoded;
  readonly #compressed: Partial<Record<Compression, Promise<Encoded>>> = {};

  /** Takes the headers that are set on the response, and adds an `ETag`. */
  constructor(response: ServerResponse, content: string | Buffer) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#etag = addETag(response, bytes);
    const set = storedHeaders.filter((name) => response.hasHeader(name));
    this.#headers = [...set.flatMap((name) => [name, String(response.getHeader(name))]), 'Vary', 'Accept-Encoding'];
    this.#identity = this.#encoded(bytes);
  }

  /** In bytes, with room for the other encodings. */
  get size(): number {
    return 2 * this.#identity.body.length;
  }

  /** Sends it in the encoding that the request accepts, or 304 without the body. */
  send(response: ServerResponse): void {
    if (isFresh(response.req, this.#etag)) {
      send(response, 304, this.#headers);
      return;
    }
    const accepted = response.req.headers['accept-encoding'];
    const encoding = accepted === undefined ? 'identity' : acceptedEncoding(accepted);
    const sendEncoded = ({ headers, body }: Encoded) => send(response, 200, headers, body);
    if (encoding === 'identity' || this.#identity.body.length < smallestToCompress) sendEncoded(this.#identity);
    else void this.#compressedAs(encoding).then(sendEncoded);
  }

  #compressedAs(compression: Compression): Promise<Encoded> {
    const { body } = this.#identity;
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    this.#compressed[compression] ??= compress[compression](bytes).then(
      (compressed) => this.#encoded(compressed, compression),
      () => this.#identity,
    );
    return this.#compressed[compression];
  }

  #encoded(bytes: Buffer, encoding?: Compression): Encoded {
    const headers = [...this.#headers, 'Content-Length', String(bytes.length)];
    if (encoding !== undefined) headers.push('Content-Encoding', encoding);
    return { headers, body: bodyOf(bytes) };
  }
}

/** Sets the `ETag` of a response, unless it has one; returns it. */
export function addETag(response: ServerResponse, bytes: Buffer): string {
  if (!response.hasHeader('ETag')) response.setHeader('ETag', etag(bytes, { weak: true }));
  return String(response.getHeader('ETag'));
}

/** Whether the client has the current version, by `If-None-Match`. */
export function isFresh({ method, headers }: IncomingMessage, currentETag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  // Without the request's `Cache-Control: no-cache`, which `fetch` adds to conditions: this is the origin, not a cache.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: currentETag });
}
