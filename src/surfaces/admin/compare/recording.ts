import type { Readable } from 'node:stream';
import type { Har } from 'har-format';
import { z } from 'zod';
import { StartError } from '../../../kernel/errors/start-error.ts';
import { isObject, parseJson } from './json.ts';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  body: string | undefined;
}

export type Skipped = 'unreadable' | 'not HTTP' | 'of other hosts' | 'writes';

export interface Recorded {
  request: RecordedRequest | Skipped;
  /** How much of the recording has been read, from 0 to 1; NaN if its size is unknown. */
  share: number;
}

/** Headers of a connection, a cache or a caller: those of the comparison are others. */
const droppedHeaders =
  /^(?::.*|proxy-.*|x-forwarded-.*|forwarded|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|cookie|authorization|content-length|accept-encoding|if-none-match|if-modified-since|range|if-range)$/;

const accessLogLine = /^\S.* \[[^\]]+\] "/;
const accessLogRequest = / \[[^\]]+\] "([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?" \d{3} /;

const requestRecord = z.object({
  method: z.string().regex(/^[A-Za-z]+$/),
  path: z.string(),
  // Several values of one header are a list.
  headers: z.record(z.string(), z.coerce.string()).nullish(),
  body: z.unknown().optional(),
});

/** The requests of a recording, recognized by its content. Lines are read one by one; HAR is one document. */
export async function* readRecording(input: Readable, size: number, base: URL): AsyncGenerator<Recorded> {
  const lines = linesOf(input);
  let parseLine: ((line: string) => RecordedRequest | Skipped) | undefined;
  let bytes = 0;
  for await (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    const content = line.trim();
    if (content === '') continue;
    if (parseLine === undefined) {
      const first = parseJson(content);
      if (accessLogLine.test(content)) parseLine = (each) => loggedRequest(each, base);
      else if (isObject(first) && !isHar(first)) parseLine = (each) => requestOf(parseJson(each), base);
      else {
        const all = [content];
        for await (const each of lines) all.push(each);
        return yield* harRequests(all.join('\n'), base);
      }
    }
    yield { request: parseLine(content), share: Math.min(1, bytes / size) };
  }
}

function isHar(value: unknown): value is Har {
  return isObject(value) && isObject(value.log) && Array.isArray(value.log.entries);
}

function* harRequests(text: string, base: URL): Generator<Recorded> {
  const har = parseJson(text);
  if (!isHar(har)) throw new StartError('The file is neither HAR, nor JSON lines of requests, nor an access log.');
  const { entries } = har.log;
  const isOwn = (url: unknown) => URL.parse(String(url))?.origin === base.origin;
  // Browsers record every host; a recording of the service under another name has none that is the given one.
  const hasOwn = entries.some((entry) => isOwn(entry?.request?.url));
  for (const [index, entry] of entries.entries()) {
    const { method, url, headers = [], postData } = entry?.request ?? {};
    const form = postData?.params?.map(({ name, value = '' }) => [name, value] as [string, string]);
    const record = {
      method,
      path: url,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      body: postData?.text || new URLSearchParams(form).toString(),
    };
    const request = hasOwn && !isOwn(url) ? 'of other hosts' : requestOf(record, base);
    yield { request, share: (index + 1) / entries.length };
  }
}

function loggedRequest(line: string, base: URL): RecordedRequest | Skipped {
  const [, method, path] = accessLogRequest.exec(line) ?? [];
  if (method === undefined) return 'not HTTP';
  if (method !== 'GET' && method !== 'HEAD') return 'writes';
  return requestOf({ method, path }, base);
}

function requestOf(value: unknown, base: URL): RecordedRequest | Skipped {
  const { data } = requestRecord.safeParse(value);
  const path = data && pathOf(data.path, base);
  if (data === undefined || path === undefined) return 'unreadable';
  const all = Object.entries(data.headers ?? {}).map(([name, each]) => [name.toLowerCase(), each] as const);
  const headers = Object.fromEntries(all.filter(([name]) => !droppedHeaders.test(name)));
  if (isObject(data.body)) headers['content-type'] ??= 'application/json';
  const body = typeof data.body === 'string' ? data.body : JSON.stringify(data.body ?? undefined);
  return { method: data.method.toUpperCase(), path, headers, body: body || undefined };
}

// Encoded as URLs are, and below the path of the service.
function pathOf(target: string, base: URL): string | undefined {
  const url = URL.parse(target.startsWith('/') ? `http://recorded${target}` : target);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const prefix = base.pathname.replace(/\/$/, '');
  const path = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname;
  return path + url.search;
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    rest += chunk;
    // Splitting a long line again with each chunk would take its length squared.
    if (!chunk.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}
