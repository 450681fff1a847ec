import { type IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { memoize } from '../../kernel/memoize.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import type { Endpoint, RequestScope } from '../../kernel/request/scope.ts';

/** Security headers of every response, names and values alternating; a page replaces the policy with its own. */
export const securityHeaders: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  // Without `includeSubDomains`: other hosts of the domain decide for themselves.
  ...['Strict-Transport-Security', 'max-age=31536000'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'SAMEORIGIN'],
];

/**
 * A response before Express. Setting some twenty headers one by one takes longer than all other work on a cached
 * response, so the steps before Express collect theirs in a list for a single `writeHead`.
 */
export class GatewayResponse extends ServerResponse {
  /** Names and values alternating, as `writeHead` takes them; undefined once they are set as ordinary headers. */
  headerList: string[] | undefined = securityHeaders.slice();
  /** Set by `observeRequests`. */
  scope: RequestScope | undefined = undefined;
  /** The body of the request, set by `collectBodies`; undefined without one. */
  requestBody: Promise<Buffer> | undefined = undefined;
  /** Set by the response cache, if the response may go into it. */
  pending: PendingResponse | undefined = undefined;
}

/** A response in progress: resolves to it, or to undefined once it is known not to be public. */
export interface PendingResponse extends PromiseWithResolvers<CachedResponse | undefined> {
  /** As declared; once false, it stays false. */
  isPublic?: boolean;
  /** The quarter hour of its UTC offsets, if it has any. */
  quarter?: number;
}

/** A response with the fields of this service. Express replaces the prototype of a response and leaves its fields. */
export function gatewayResponse(response: ServerResponse): GatewayResponse {
  return response as GatewayResponse;
}

/** The scope of a response's request. */
export function scopeOf(response: ServerResponse): RequestScope {
  return gatewayResponse(response).scope as RequestScope;
}

type Response = ServerResponse & Partial<Pick<GatewayResponse, 'headerList'>>;

/** Bytes, or text with one byte per character (latin1). */
type Body = Buffer | string;

/** Maximum bytes of a text that Node sends together with its headers in one write, which is cheaper than two. */
const longestText = 8 * 1_024;

/** Converts bytes to the form that Node sends fastest. */
function bodyOf(bytes: Buffer): Body {
  return bytes.length <= longestText ? bytes.toString('latin1') : bytes;
}

/** Adds a header, or another value to it. */
export function addHeader(response: Response, name: string, value: string): void {
  if (response.headerList === undefined) response.appendHeader(name, value);
  else response.headerList.push(name, value);
}

/** Sets the headers of the list as ordinary ones, for Express. */
export function settleHeaders(response: Response): void {
  const { headerList = [] } = response;
  response.headerList = undefined;
  for (let index = 0; index < headerList.length; index += 2) {
    response.appendHeader(headerList[index] as string, headerList[index + 1] as string);
  }
}

type WholeResponse = [response: Response, status: number, headers: string[], body?: Body];

let due: WholeResponse[] = [];

/**
 * Sends a whole response with the headers set so far and these, which replace others of the same name. The responses of
 * one event loop turn go out together, because each separate write wakes its client.
 */
export function send(...whole: WholeResponse): void {
  if (due.push(whole) === 1) setImmediate(sendDue);
}

function sendDue(): void {
  const responses = due;
  due = [];
  for (const [response, status, headers, body] of responses) {
    try {
      // If ordinary headers are set, `writeHead` sets those of the list as ordinary ones, too.
      response.writeHead(status, response.headerList?.concat(headers) ?? headers);
      response.end(response.req.method === 'HEAD' ? undefined : body, 'latin1');
    } catch (error) {
      // The other responses must not fail with it.
      response.destroy(error as Error);
    }
  }
}

/** Sends a text that must not be stored. */
export function sendText(response: Response, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  const body = Buffer.from(text);
  const headers = ['Cache-Control', 'private, no-store', 'Content-Type', type, 'Content-Length', String(body.length)];
  send(response, status, headers, body);
}

// A compromise: compressed once and sent often, but while a client waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compress = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

type Compression = keyof typeof compress;

/** The smallest encoding that an `Accept-Encoding` header accepts. */
const acceptedCompression = memoize(memoryBounds.encodings, (header): Compression | 'identity' => {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['br', 'gzip']);
  return (['br', 'gzip'] as const).find((each) => accepted.includes(each)) ?? 'identity';
});

/** In bytes; below it, compression saves less than its header takes. */
const smallestToCompress = 1_024;

type Encoded = [headers: string[], body: Body];

/** A successful response as bytes, for repeated use. Each encoding is created on first use. */
export class CachedResponse {
  readonly endpoint: Endpoint | undefined;
  readonly #etag: string;
  /** Headers that belong to the response, not to the request. */
  readonly #headers: string[];
  readonly #identity: Encoded;
  readonly #compressed: Partial<Record<Compression, Promise<Encoded>>> = {};

  /** Copies the headers set on the response and adds an `ETag`. `endpoint` is where the response comes from. */
  constructor(response: ServerResponse, content: string | Buffer, endpoint?: Endpoint) {
    this.endpoint = endpoint;
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

  /**
   * Sends it in the encoding that the request accepts, uncompressed if it is sent only once, or 304 without a body.
   * Resolves once it is compressed.
   */
  async send(response: ServerResponse, isOnce = false): Promise<void> {
    addHeader(response, 'Vary', 'Accept-Encoding');
    if (isFresh(response.req, this.#etag)) {
      send(response, 304, this.#headers);
      return;
    }
    const accepted = response.req.headers['accept-encoding'];
    const compression = accepted === undefined || isOnce ? 'identity' : acceptedCompression(accepted);
    const isPlain = compression === 'identity' || this.#identity[1].length < smallestToCompress;
    send(response, 200, ...(isPlain ? this.#identity : await this.#compressedAs(compression)));
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
  // Ignores the `Cache-Control: no-cache` that `fetch` adds to conditional requests: this is the origin, not a cache.
  return fresh({ 'if-none-match': ifNoneMatch }, { etag: currentETag });
}
