import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Har } from 'har-format';
import { z } from 'zod';
import { StartError } from '../../../kernel/errors/start-error.ts';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** By their names in lower case. */
  headers: Record<string, string>;
  /** Empty for none. */
  body: string;
}

/** Headers of a connection, a cache or a caller: those of the comparison are others. */
const droppedHeaders =
  /^(?::.*|(?:proxy|x-forwarded|if)-.*|forwarded|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|cookie|authorization|content-length|accept-encoding|range)$/;

const accessLogLine = / \[[^\]]+\] "(GET|HEAD) (\S+)(?: HTTP\/[\d.]+)?" \d{3} /;

const record = z.object({
  method: z.string().toUpperCase(),
  path: z
    .string()
    .overwrite((path) => path.replace(/^https?:\/\/[^/]+/, ''))
    .startsWith('/'),
  headers: z.record(z.string().toLowerCase(), z.coerce.string()).nullish(),
  body: z
    .string()
    .or(z.looseObject({}).transform((body) => JSON.stringify(body)))
    .nullish(),
});

/**
 * The requests of a recording, recognized by its content; undefined for one that cannot be read. Lines are read one by one; HAR
 * is one document, of which only the requests to `origin` count, if there are any. `share` is how much has been read, from 0 to
 * 1; NaN if the size is.
 */
export async function* readRecording(input: Readable, size: number, origin: string) {
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of createInterface({ input })) {
    bytes += Buffer.byteLength(line) + 1;
    // The beginning of HAR, on one line or on its first.
    if (lines.length > 0 || /^\s*\{\s*(?:"log"|$)/.test(line)) lines.push(line);
    else if (line.trim() !== '') yield { request: requestOf(recordOf(line)), share: Math.min(1, bytes / size) };
  }
  if (lines.length === 0) return;
  const records = harRecords(lines.join('\n'), origin);
  for (const [index, each] of records.entries())
    yield { request: requestOf(each), share: (index + 1) / records.length };
}

function recordOf(line: string): unknown {
  const [, method, path] = accessLogLine.exec(line) ?? [];
  if (method !== undefined) return { method, path };
  try {
    return JSON.parse(line.trim());
  } catch {
    return undefined;
  }
}

function harRecords(text: string, origin: string): unknown[] {
  try {
    const { log }: Har = JSON.parse(text.trim());
    const requests = log.entries.map(({ request }) => request);
    // Browsers record every host.
    const own = requests.filter(({ url }) => url.startsWith(`${origin}/`));
    return (own.length > 0 ? own : requests).map(({ method, url, headers, postData }) => ({
      method,
      path: url,
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      body: postData?.text,
    }));
  } catch (error) {
    throw new StartError(`The file begins as HAR does, and cannot be read: ${(error as Error).message}.`);
  }
}

function requestOf(recorded: unknown): RecordedRequest | undefined {
  const { data } = record.safeParse(recorded);
  if (data === undefined) return undefined;
  const { method, path } = data;
  const headers = Object.fromEntries(Object.entries(data.headers ?? {}).filter(([name]) => !droppedHeaders.test(name)));
  // That of a read has no meaning.
  const body = method === 'GET' || method === 'HEAD' ? '' : (data.body ?? '');
  if (body !== '') headers['content-type'] ??= 'application/json';
  return { method, path, headers, body };
}
