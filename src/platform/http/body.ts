import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Admission } from '../admission/admission.ts';

/** In bytes: a tag's 10,000 items in the longest encoding, a percent-encoded form. */
const maxBytes = 512 * 1024;

const maxChunks = 4_096;

const jsonTypes = ['text/x-json', 'application/jsonrequest'];

/** Also for an empty chunked body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Without parameters, whose syntax is often wrong. */
export function getMediaType({ headers }: IncomingMessage): string {
  const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
  return jsonTypes.includes(type) ? 'application/json' : type;
}

export function acceptBody(...types: string[]): RequestHandler {
  return (request, _response, next) => {
    checkContentType(request, types);
    next();
  };
}

export function checkContentType(request: Request, types: string[]): void {
  if (!hasBody(request)) return;
  const type = getMediaType(request);
  if (!types.includes(type)) throw createUnsupportedError(types);
  if (!isUtf8(request.headers['content-type'])) throw createUnsupportedError([`${type}; charset=utf-8`]);
}

// Some clients quote the charset or leave it empty. ASCII is UTF-8 too.
function isUtf8(contentType = ''): boolean {
  const [, charset = ''] = /;\s*charset\s*=\s*["']?([^\s;"']*)/i.exec(contentType) ?? [];
  return /^(?:utf-?8|us-ascii|)$/i.test(charset);
}

const compressions = ['gzip', 'deflate', 'br'] as const;

const readRawBody = promisify(express.raw({ type: () => true, limit: maxBytes }));

/** Resolves to the decompressed bytes; undefined without a body. */
export async function readBytes(request: Request, response: Response): Promise<Buffer | undefined> {
  if (!hasBody(request)) return undefined;
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (Number(length) > maxBytes) throw new AppError('payload_too_large');
  if (encoding !== undefined) request.headers['content-encoding'] = encoding.replace(/^x-(?=gzip$)/i, '');
  // Node allocates 500 bytes for a chunk of one byte.
  let chunks = 0;
  request.on('data', () => {
    chunks += 1;
    if (chunks > maxChunks) request.destroy();
  });
  const { context } = response.locals;
  const start = performance.now();
  await readRawBody(request, response).catch((cause: Error & { status?: number }) => {
    if (cause.status === 415) throw createUnsupportedError([...compressions]);
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

/** Acquires the slot after the body has arrived, so that slow senders take none. */
export async function readThenEnter(
  request: Request,
  response: Response,
  admission: Pick<Admission, 'enter'>,
): Promise<Buffer | undefined> {
  const bytes = await readBytes(request, response);
  await admission.enter();
  return bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

export function decodeUtf8(bytes: Buffer): string {
  return rejectMalformed(() => decoder.decode(bytes));
}

/** An empty text means an empty object. Throws `malformed_body`. */
export function parseJson(bytes: Buffer): object {
  const value: unknown = bytes.length === 0 ? {} : rejectMalformed(() => JSON.parse(decodeUtf8(bytes)));
  if (typeof value !== 'object' || value === null) throw new AppError('malformed_body');
  return value;
}

function rejectMalformed<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}

function createUnsupportedError(supported: string[]): AppError {
  return new AppError('unsupported_media_type', { values: { supported } });
}
