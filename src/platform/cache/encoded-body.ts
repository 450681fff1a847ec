import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import etag from 'etag';
import type { Request, Response } from 'express';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { send } from '../http/send.ts';

// Higher qualities take too long while a client waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compressAsync = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

/** In worker threads, the pages of one client would compete with all requests for processors. */
const compressSync = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, brotliOptions),
  gzip: gzipSync,
};

type Compression = keyof typeof compressAsync;

const encodings = ['br', 'gzip', 'identity'] as const;

/** Negotiator takes long for long headers. */
const maxHeaderLength = 500;

const negotiateEncoding = memoize(memoryBounds.encodings, (header): Compression | 'identity' => {
  // The types lack the options.
  const negotiator: { encodings(available: readonly string[], options?: { preferred: readonly string[] }): string[] } =
    new Negotiator({ headers: { 'accept-encoding': header.slice(0, maxHeaderLength) } });
  const [encoding = 'identity'] = negotiator.encodings(encodings, { preferred: encodings });
  return encoding as (typeof encodings)[number];
});

/** Compression would save less than its header takes. */
const minBytesToCompress = 1_024;

const maxSyncBytes = 96 * 1_024;

/** Node sends a shorter string in one write with its headers. */
const maxStringLength = 8 * 1_024;

/** A reusable response body with its `ETag`. Each encoding is created on first use. */
export class EncodedBody {
  readonly #bytes: Buffer;
  readonly #identity: string | Buffer;
  readonly #etag: string;
  readonly #compressed: Partial<Record<Compression, Buffer | Promise<Buffer | undefined>>> = {};

  constructor(content: string | Buffer) {
    this.#bytes = Buffer.from(content);
    this.#identity = content.length > maxStringLength ? this.#bytes : content;
    this.#etag = etag(this.#bytes, { weak: true });
  }

  get size(): number {
    return 2 * this.#bytes.length;
  }

  /** Sends the body, uncompressed if it is sent only once, or 304. Resolves once it is compressed. */
  async send(response: Response, isSentOnce = false): Promise<void> {
    response.vary('Accept-Encoding').setHeader('ETag', this.#etag);
    if (isFresh(response.req, this.#etag)) return send(response, 304);
    const accepted = response.req.headers['accept-encoding'];
    const isIdentity = accepted === undefined || isSentOnce || this.#bytes.length < minBytesToCompress;
    const encoding = isIdentity ? 'identity' : negotiateEncoding(accepted);
    if (encoding === 'identity') return send(response, 200, this.#identity);
    this.#compressed[encoding] ??= this.#compress(encoding);
    const compressed = await this.#compressed[encoding];
    if (compressed !== undefined) response.setHeader('Content-Encoding', encoding);
    send(response, 200, compressed ?? this.#bytes);
  }

  #compress(encoding: Compression): Buffer | Promise<Buffer | undefined> {
    if (this.#bytes.length <= maxSyncBytes) return compressSync[encoding](this.#bytes);
    return compressAsync[encoding](this.#bytes).catch(() => undefined);
  }
}

function isFresh({ method, headers }: Request, currentETag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  // Ignores the `Cache-Control: no-cache` that `fetch` adds to conditional requests: this is the origin, not a cache.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: currentETag });
}
