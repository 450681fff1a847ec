import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import etag from 'etag';
import type { Request, Response } from 'express';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { send } from '../http/send.ts';

// A compromise: compressed once and sent often, but while a client waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compressLong = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

/** Takes a millisecond at most. In other threads, pages of one client would compete with all requests for the processors. */
const compressShort = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, brotliOptions),
  gzip: gzipSync,
};

type Compression = keyof typeof compressLong;

/** The encodings, the smallest first. */
const encodings = ['br', 'gzip', 'identity'] as const;

/** In characters: Negotiator takes long for the longest headers. */
const maxAcceptEncoding = 500;

/** The encoding with the greatest weight in an `Accept-Encoding` header; the smallest of equal ones. */
const preferredEncoding = memoize(memoryBounds.encodings, (header): Compression | 'identity' => {
  // The types lack the options.
  const negotiator: { encodings(available: readonly string[], options?: { preferred: readonly string[] }): string[] } =
    new Negotiator({ headers: { 'accept-encoding': header.slice(0, maxAcceptEncoding) } });
  const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings });
  return encoding as (typeof encodings)[number];
});

/** In bytes; below it, compression saves less than its header takes. */
const smallestToCompress = 1_024;

/** In bytes; a longer text is compressed in another thread. */
const longestToCompressNow = 96 * 1_024;

/** In characters. Node sends a shorter text together with its headers in one write, which is cheaper than two. */
const longestToSendWithHeaders = 8 * 1_024;

/** The body of a successful response with its `ETag`, for repeated use. Each encoding is created on first use. */
export class EncodedBody {
  readonly #bytes: Buffer;
  readonly #identity: string | Buffer;
  readonly #etag: string;
  readonly #compressed: Partial<Record<Compression, Buffer | Promise<Buffer | undefined>>> = {};

  constructor(content: string | Buffer) {
    this.#bytes = Buffer.from(content);
    this.#identity = content.length > longestToSendWithHeaders ? this.#bytes : content;
    this.#etag = etag(this.#bytes, { weak: true });
  }

  /** In bytes, with room for the other encodings. */
  get size(): number {
    return 2 * this.#bytes.length;
  }

  /**
   * Sends it in the encoding that the request accepts, uncompressed if it is sent only once, or 304 without a body.
   * Resolves once it is compressed.
   */
  async send(response: Response, isOnce = false): Promise<void> {
    response.vary('Accept-Encoding').setHeader('ETag', this.#etag);
    if (isFresh(response.req, this.#etag)) return send(response, 304);
    const accepted = response.req.headers['accept-encoding'];
    const isPlain = accepted === undefined || isOnce || this.#bytes.length < smallestToCompress;
    const encoding = isPlain ? 'identity' : preferredEncoding(accepted);
    if (encoding === 'identity') return send(response, 200, this.#identity);
    this.#compressed[encoding] ??= this.#compress(encoding);
    const compressed = await this.#compressed[encoding];
    if (compressed !== undefined) response.setHeader('Content-Encoding', encoding);
    send(response, 200, compressed ?? this.#bytes);
  }

  #compress(encoding: Compression): Buffer | Promise<Buffer | undefined> {
    if (this.#bytes.length <= longestToCompressNow) return compressShort[encoding](this.#bytes);
    return compressLong[encoding](this.#bytes).catch(() => undefined);
  }
}

/** Whether the client has the current version, by `If-None-Match`. */
function isFresh({ method, headers }: Request, currentETag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  // Ignores the `Cache-Control: no-cache` that `fetch` adds to conditional requests: this is the origin, not a cache.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: currentETag });
}
