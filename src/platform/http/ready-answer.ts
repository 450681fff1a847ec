import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fresh from 'fresh';
import type { Endpoint } from '../../kernel/request/scope.ts';
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts';
import { answerWhole, type Body, bodyOf } from './answer.ts';

/** In bytes; below it, compressing saves less than its header takes. */
const smallestToCompress = 1_024;

// Made once and sent often, but while somebody waits.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

type Compression = Exclude<Encoding, 'identity'>;

const compress: Record<Compression, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify(gzip),
};

/** Those of an answer's headers that are about the answer, not about the request. */
const keptHeaders = ['Content-Type', 'Cache-Control', 'ETag'];

/** An answer in one of its encodings, as it is sent. */
interface Encoded {
  /** Names and values in turn. */
  headers: string[];
  body: Body;
}

/** A successful answer as bytes, sent as often as asked for; each of its encodings is made when it is first wanted. */
export class ReadyAnswer {
  /** What it answers. */
  readonly endpoint: Endpoint | undefined;
  /** Names and values in turn. */
  readonly #headers: string[];
  readonly #validators: { etag: string | undefined };
  readonly #identity: Encoded;
  readonly #compressed: Partial<Record<Compression, Encoded | Promise<Encoded>>>;

  /** Keeps what a response is about to send. */
  constructor(response: ServerResponse, bytes: Buffer, endpoint: Endpoint | undefined) {
    this.endpoint = endpoint;
    const kept = keptHeaders.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [name, String(value)];
    });
    this.#headers = [...kept, 'Vary', 'Accept-Encoding'];
    this.#validators = { etag: response.getHeader('ETag') as string | undefined };
    const identity = this.#asSent(bytes);
    this.#identity = identity;
    this.#compressed = bytes.length < smallestToCompress ? { br: identity, gzip: identity } : {};
  }

  /** In bytes, with room for its encodings. */
  get size(): number {
    return 2 * this.#identity.body.length;
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
    const encoded = encoding === 'identity' ? this.#identity : this.#compressedAs(encoding);
    if (encoded instanceof Promise) void encoded.then((made) => write(response, made));
    else write(response, encoded);
  }

  #compressedAs(compression: Compression): Encoded | Promise<Encoded> {
    this.#compressed[compression] ??= this.#compress(compression);
    return this.#compressed[compression];
  }

  async #compress(compression: Compression): Promise<Encoded> {
    const { body } = this.#identity;
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body;
    const compressed = await compress[compression](bytes).then(
      (made) => this.#asSent(made, compression),
      () => this.#identity,
    );
    this.#compressed[compression] = compressed;
    return compressed;
  }

  #asSent(bytes: Buffer, encoding?: Compression): Encoded {
    const headers = [...this.#headers, 'Content-Length', String(bytes.length)];
    if (encoding !== undefined) headers.push('Content-Encoding', encoding);
    return { headers, body: bodyOf(bytes) };
  }
}

function write(response: ServerResponse, { headers, body }: Encoded): void {
  answerWhole(response, 200, headers, response.req.method === 'HEAD' ? undefined : body);
}
