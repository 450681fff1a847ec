import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Admission } from '../admission/admission.ts';

/** Maximum request body in bytes: enough for a tag's 10,000 items in the longest encoding (form, percent-encoded). */
const maxBytes = 512 * 1024;

/** Further chunks close the connection. */
const maxChunks = 4_096;

/** Other names of JSON, which Rails parses too. */
const jsonTypes = ['text/x-json', 'application/jsonrequest'];

/** Whether a request carries a body at all, even an empty chunked one. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The media type of a body without its parameters, whose syntax is often wrong. */
export function getMediaType({ headers }: IncomingMessage): string {
  const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
  return jsonTypes.includes(type) ? 'application/json' : type;
}

/** Rejects a body, if there is one, of other media types, or in another charset than UTF-8. */
export function acceptBody(...types: string[]): RequestHandler {
  return (request, _response, next) => {
    requireBody(request, types);
    next();
  };
}

export function requireBody(request: Request, types: string[]): void {
  if (!hasBody(request)) return;
  const type = getMediaType(request);
  if (!types.includes(type)) throw unsupported(types);
  if (!isUtf8(request.headers['content-type'])) throw unsupported([`${type}; charset=utf-8`]);
}

// Some clients quote the charset, or send none after `charset=`. ASCII is UTF-8, too.
function isUtf8(contentType = ''): boolean {
  const [, charset = ''] = /;\s*charset\s*=\s*["']?([^\s;"']*)/i.exec(contentType) ?? [];
  return /^(?:utf-?8|us-ascii|)$/i.test(charset);
}

/** Content codings of request bodies. */
const compressions = ['gzip', 'deflate', 'br'] as const;

const readRaw = promisify(express.raw({ type: () => true, limit: maxBytes }));

/** Waits for the body of a request; resolves to its bytes, decompressed, or to undefined without a body. */
export async function readBytes(request: Request, response: Response): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  // Before all of it has arrived.
  if (Number(length) > maxBytes) throw new AppError('payload_too_large');
  if (encoding !== undefined) request.headers['content-encoding'] = encoding.replace(/^x-(?=gzip$)/i, '');
  // Node makes a buffer of 500 bytes for a chunk of one.
  let chunks = 0;
  request.on('data', () => {
    chunks += 1;
    if (chunks > maxChunks) request.destroy();
  });
  const { context } = response.locals;
  const start = performance.now();
  await readRaw(request, response).catch((cause: Error & { status?: number }) => {
    if (cause.status === 415) throw unsupported([...compressions]);
    if (cause.status === 413) throw new AppError('payload_too_large', { cause });
    throw new AppError('malformed_body', {
      cause,
      hint: compressions.find((name) => name === request.headers['content-encoding']?.toLowerCase()),
    });
  });
  // Waiting for a slow client does not count.
  if (context.deadline !== undefined) context.deadline += performance.now() - start;
  return request.body;
}

/** Waits for the whole body and then for the request's place, so that a slow sender takes none. */
export async function admitBody(
  request: Request,
  response: Response,
  admission: Pick<Admission, 'enter'>,
): Promise<Buffer | undefined> {
  const bytes = await readBytes(request, response);
  await admission.enter();
  return bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. Throws `malformed_body`. */
export function decodeUtf8(bytes: Buffer): string {
  return orMalformed(() => decoder.decode(bytes));
}

/** Parses an object or an array; an empty text means an empty object. Throws `malformed_body`. */
export function parseJson(bytes: Buffer): object {
  const value: unknown = bytes.length === 0 ? {} : orMalformed(() => JSON.parse(decodeUtf8(bytes)));
  if (typeof value !== 'object' || value === null) throw new AppError('malformed_body');
  return value;
}

function orMalformed<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}

function unsupported(supported: string[]): AppError {
  return new AppError('unsupported_media_type', { values: { supported } });
}
