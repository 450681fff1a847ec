import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fresh from 'fresh';
import type { Endpoint } from '../request/endpoint.ts';
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts';
import { answerWhole } from './answer.ts';

/** In bytes; below it, compressing saves less than its header takes. */
const smallestToCompress = 1_024;

// Made once and sent often, but while somebody waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

const compress: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, brotliOptions),
  gzip: promisify(gzip),
};

/** Those of an answer's headers that are about the answer, not about the request. */
const keptHeaders = ['Content-Type', 'Cache-Control', 'ETag'];

/** A successful answer as bytes, sent as often as asked for; each of its encodings is made when it is first wanted. */
export class ReadyAnswer {
  /** What it answers. */
  readonly endpoint: Endpoint | undefined;
  /** Names and values in turn. */
  readonly #headers: string[];
  readonly #validators: { etag: string | undefined };
  readonly #identity: Buffer;
  readonly #encoded: Partial<Record<Encoding, Buffer | Promise<Buffer>>>;

  /** Keeps what a response is about to send. */
  constructor(response: ServerResponse, body: Buffer, endpoint: Endpoint | undefined) {
    this.endpoint = endpoint;
    const kept = keptHeaders.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [name, String(value)];
    });
    this.#headers = [...kept, 'Vary', 'Accept-Encoding'];
    this.#validators = { etag: response.getHeader('ETag') as string | undefined };
    this.#identity = body;
    this.#encoded = body.length < smallestToCompress ? { br: body, gzip: body, identity: body } : { identity: body };
  }

  /** In bytes, with room for its encodings. */
  get size(): number {
    return 2 * this.#identity.length;
  }

  /** Answers; 304 without the body to who has it already, by `If-None-Match`. */
  send(response: ServerResponse): void {
    const { method, headers } = response.req;
    const ifNoneMatch = headers['if-none-match'];
    const isConditional = ifNoneMatch !== undefined && (method === 'GET' || method === 'HEAD');
    // Not its `Cache-Control: no-cache`, which `fetch` adds to a condition: here is the origin, not a cache.
    if (isConditional && fresh({ 'if-none-match': ifNoneMatch }, this.#validators)) {
      answerWhole(response, 304, this.#headers);
      return;
    }
    const accepted = headers['accept-encoding'];
    const encoding = accepted === undefined ? 'identity' : acceptedEncoding(accepted);
    this.#encoded[encoding] ??= this.#encode(encoding);
    const body = this.#encoded[encoding];
    if (Buffer.isBuffer(body)) this.#write(response, body, encoding);
    else void body.then((encoded) => this.#write(response, encoded, encoding));
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    const encoded =
      encoding === 'identity' ? this.#identity : await compress[encoding](this.#identity).catch(() => this.#identity);
    this.#encoded[encoding] = encoded;
    return encoded;
  }

  #write(response: ServerResponse, body: Buffer, encoding: Encoding): void {
    const headers = [...this.#headers, 'Content-Length', String(body.length)];
    if (body !== this.#identity) headers.push('Content-Encoding', encoding);
    answerWhole(response, 200, headers, response.req.method === 'HEAD' ? undefined : body);
  }
}
