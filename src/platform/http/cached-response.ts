import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import { currentScope } from '../../kernel/request/scope.ts';
import { addHeader, type Body, bodyOf, send } from './response.ts';

// Compressed once and sent often, but while a client waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify<Buffer, Buffer>(gzip),
};

type Compression = keyof typeof compress;

/** The smallest encoding that an `Accept-Encoding` header accepts. */
const acceptedCompression = remember(memoryBounds.encodings, (header): Compression | 'identity' => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['br', 'gzip']);
  return (['br', 'gzip'] as const).find((each) => accepted.includes(each)) ?? 'identity';
});

/** In bytes; below it, compression saves less than its header takes. */
const smallestToCompress = 1_024;

type Encoded = [headers: string[], body: Body];

/** A successful response as bytes, to send any number of times; each encoding is made on first use. */
export class CachedResponse {
  readonly endpoint = currentScope()?.endpoint;
  readonly #etag: string;
  /** Those that belong to the response, not to the request. */
  readonly #headers: string[];
  readonly #identity: Encoded;
  readonly #compressed: Partial<Record<Compression, Promise<Encoded>>> = {};

  /** Takes the headers that are set on the response, and adds an `ETag`. */
  constructor(response: ServerResponse, content: string | Buffer) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#etag = etag(bytes, { weak: true });
    const set = ['Content-Type', 'Cache-Control'].filter((name) => response.hasHeader(name));
    this.#headers = [...set.flatMap((name) => [name, String(response.getHeader(name))]), 'ETag', this.#etag];
    this.#identity = this.#encoded(bytes);
  }

  /** In bytes, with room for the other encodings. */
  get size(): number {
    return 2 * this.#identity[1].length;
  }

  /** Sends it in the encoding that the request accepts, unless it is sent only this once; or 304 without the body. */
  send(response: ServerResponse, isOnce = false): void {
    addHeader(response, 'Vary', 'Accept-Encoding');
    if (isFresh(response.req, this.#etag)) {
      send(response, 304, this.#headers);
      return;
    }
    const accepted = response.req.headers['accept-encoding'];
    const compression = accepted === undefined || isOnce ? 'identity' : acceptedCompression(accepted);
    const sendEncoded = (encoded: Encoded) => send(response, 200, ...encoded);
    if (compression === 'identity' || this.#identity[1].length < smallestToCompress) sendEncoded(this.#identity);
    else void this.#compressedAs(compression).then(sendEncoded);
  }

  #compressedAs(compression: Compression): Promise<Encoded> {
    const [, body] = this.#identity;
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    this.#compressed[compression] ??= compress[compression](bytes).then(
      (compressed) => this.#encoded(compressed, 'Content-Encoding', compression),
      () => this.#identity,
    );
    return this.#compressed[compression];
  }

  #encoded(bytes: Buffer, ...headers: string[]): Encoded {
    return [[...this.#headers, 'Content-Length', String(bytes.length), ...headers], bodyOf(bytes)];
  }
}

/** Whether the client has the current version, by `If-None-Match`. */
function isFresh({ method, headers }: IncomingMessage, currentETag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  // Without the request's `Cache-Control: no-cache`, which `fetch` adds to conditions: this is the origin, not a cache.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: currentETag });
}
