import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fresh from 'fresh';
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts';

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
  readonly #headers: [name: string, value: string][];
  readonly #validators: { etag: string | undefined };
  readonly #bodies: Partial<Record<Encoding, Buffer>>;

  /** Keeps what a response is about to send. */
  constructor(response: ServerResponse, body: Buffer) {
    this.#headers = keptHeaders.flatMap((name) => {
      const value = response.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    });
    this.#validators = { etag: response.getHeader('ETag') as string | undefined };
    this.#bodies = { identity: body };
  }

  /** In bytes, with room for its encodings. */
  get size(): number {
    return 2 * this.#identity.length;
  }

  /** Answers; 304 without the body to who has it already, by `If-None-Match`. */
  send(response: ServerResponse): void {
    const { method, headers } = response.req;
    for (const [name, value] of this.#headers) response.setHeader(name, value);
    response.setHeader('Vary', 'Accept-Language, Accept-Encoding');
    const isConditional = headers['if-none-match'] !== undefined && (method === 'GET' || method === 'HEAD');
    if (isConditional && fresh(headers, this.#validators)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.statusCode = 200;
    const wanted =
      this.#identity.length < smallestToCompress ? 'identity' : acceptedEncoding(headers['accept-encoding']);
    const body = this.#bodies[wanted];
    if (body !== undefined) {
      this.#write(response, wanted, body);
      return;
    }
    this.#encode(wanted as Exclude<Encoding, 'identity'>).then(
      (encoded) => this.#write(response, wanted, encoded),
      () => this.#write(response, 'identity', this.#identity),
    );
  }

  get #identity(): Buffer {
    return this.#bodies.identity as Buffer;
  }

  async #encode(encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
    this.#bodies[encoding] = await compress[encoding](this.#identity);
    return this.#bodies[encoding];
  }

  #write(response: ServerResponse, encoding: Encoding, body: Buffer): void {
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', body.length);
    response.end(response.req.method === 'HEAD' ? undefined : body);
  }
}
