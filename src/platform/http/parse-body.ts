import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { hasBody, maxBytes, receivedBody } from './body.ts';

const form = 'application/x-www-form-urlencoded';

/** Waits for a body of one of the media types, in UTF-8. */
export function receiveBody(...types: ('application/json' | typeof form)[]): RequestHandler {
  return async (request, response, next) => {
    if (!hasBody(request)) return next();
    const type = request.is(types);
    if (!type) throw unsupported(types);
    if (!isUtf8(request.headers['content-type'])) throw unsupported([`${type}; charset=utf-8`]);
    await receivedBody(response);
    next();
  };
}

/** Parses a received body into `request.body`: JSON as its value, a form as text. Runs in a lane, as it is slow. */
export async function parseBody(request: Request, response: Response): Promise<void> {
  const body = await receivedBody(response);
  if (body === undefined) return;
  const decompress = decompressorOf(request);
  try {
    const text = decoder.decode(await decompress(body, { maxOutputLength: maxBytes }));
    request.body = request.is(form) ? text : parseJson(text);
  } catch (cause) {
    const isLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new AppError(isLarge ? 'payload_too_large' : 'malformed_body', { cause });
  }
}

function unsupported(supported: string[]): AppError {
  return new AppError('unsupported_media_type', { values: { supported } });
}

function isUtf8(contentType = ''): boolean {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType) ?? [];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressors = new Map<string, Decompress>([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

function decompressorOf({ headers }: IncomingMessage): Decompress {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return async (bytes) => bytes;
  const decompress = decompressors.get(encoding);
  if (decompress === undefined) throw unsupported([...decompressors.keys()]);
  return decompress;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses an object or an array; an empty text means an empty object. */
function parseJson(text: string): object {
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new TypeError('neither an object nor an array');
  return value;
}
