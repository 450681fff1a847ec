import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Admission } from '../admission/admission.ts';
import { hasBody, largeBody, maxBytes, waitForBody } from './body.ts';

/** Other names of JSON, which Rails parses too. */
const jsonTypes = ['text/x-json', 'application/jsonrequest'];

/** The media type of a body without its parameters, whose syntax is often wrong. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const type = (headers['content-type'] ?? '').split(';', 1).join().trim().toLowerCase();
  return jsonTypes.includes(type) ? 'application/json' : type;
}

/** Waits for a body, if there is one, of one of the media types, in UTF-8. */
export async function waitForBodyOf(request: Request, response: Response, types: readonly string[]): Promise<void> {
  if (!hasBody(request)) return;
  const type = mediaTypeOf(request);
  if (!types.includes(type)) throw unsupported([...types]);
  if (!isUtf8(request.headers['content-type'])) throw unsupported([`${type}; charset=utf-8`]);
  await waitForBody(response);
}

export function acceptBodyOf(...types: string[]): RequestHandler {
  return async (request, response, next) => {
    await waitForBodyOf(request, response, types);
    next();
  };
}

/**
 * Waits for the whole body and then for the turn to parse it, so that a slow sender delays nobody. Returns its bytes,
 * decompressed; undefined without a body.
 */
export async function bodyInTurn(
  request: Request,
  response: Response,
  admission: Pick<Admission, 'turn' | 'reserve'>,
): Promise<Buffer | undefined> {
  const body = await waitForBody(response);
  const decompress = body && decompressorOf(request);
  // A compressed one may become large.
  const isLarge = body !== undefined && (decompress !== undefined || body.read().length > largeBody);
  const release = await admission.reserve({ isLarge });
  // The response is complete, however slowly the client reads it (an event of Node's that its documentation leaves out), or
  // the client has left.
  response.once('prefinish', release).once('close', release);
  await admission.turn();
  const bytes = body?.take();
  return bytes && decompress ? decompress(bytes) : bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8. Throws `malformed_body`. */
export function decodeUtf8(bytes: Buffer): string {
  return orMalformed(() => decoder.decode(bytes));
}

/** The most objects, lists and members of a JSON text: no valid request has hundreds, and their errors take long. */
const maxStructure = 5_000;

/** The most entries of its lists and objects together: five times as many as a tag has items. */
const maxEntries = 50_000;

/** Whether a JSON text has more objects, lists and members than a request may have, or more entries of lists. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= maxStructure) return false;
  let structure = 0;
  let entries = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isString = !isString;
    else if (isString) index += character === '\\' ? 1 : 0;
    else if (character === ',') entries += 1;
    else if (character === '{' || character === '[' || character === ':') structure += 1;
    if (structure > maxStructure || entries >= maxEntries) return true;
  }
  return false;
}

/**
 * Parses an object or an array; an empty text means an empty object. Throws `malformed_body`, or `payload_too_large` for one
 * with more than 5,000 objects, lists and members, or 50,000 entries of lists.
 */
export function parseJson(text: string): object {
  if (hasTooManyValues(text)) throw new AppError('payload_too_large');
  const value: unknown = text === '' ? {} : orMalformed(() => JSON.parse(text));
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

// Some clients quote the charset, or send none after `charset=`. ASCII is UTF-8, too.
function isUtf8(contentType = ''): boolean {
  const [, charset = ''] = /;\s*charset\s*=\s*["']?([^\s;"']*)/i.exec(contentType) ?? [];
  return /^(?:utf-?8|us-ascii|)$/i.test(charset);
}

// Synchronous, so that their time counts in the turn. The longest body takes a few milliseconds.
const decompressors = [
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
] as const;

/** The function that decompresses the body of a request; undefined if it is not compressed. */
function decompressorOf({ headers }: IncomingMessage): ((bytes: Buffer) => Buffer) | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase().replace(/^x-/, '') || 'identity';
  if (encoding === 'identity') return undefined;
  const found = decompressors.find(([name]) => name === encoding);
  if (found === undefined) throw unsupported(decompressors.map(([name]) => name));
  const [hint, decompress] = found;
  return (bytes) => {
    try {
      return decompress(bytes, { maxOutputLength: maxBytes });
    } catch (cause) {
      const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      throw isTooLarge ? new AppError('payload_too_large', { cause }) : new AppError('malformed_body', { cause, hint });
    }
  };
}
