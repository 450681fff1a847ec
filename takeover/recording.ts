import type { Readable } from 'node:stream';
import { z } from 'zod';
import { OperatorError } from '../src/kernel/errors/operator-error.ts';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  path: string;
  /** By lowercase name. */
  headers: Record<string, string>;
  /** Empty without a body. */
  body: string;
}

/** Headers of the recorded connection, cache or caller, which do not apply to the comparison. */
const droppedHeaders =
  /^(?::.*|(?:proxy|x-forwarded|if)-.*|forwarded|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|cookie|authorization|content-length|accept-encoding|range)$/;

// The groups are empty unless the line is a GET or HEAD request.
const accessLogLine = /^[^{].*? \[[^\]]+\] "(?:(GET|HEAD) (\S+)(?: HTTP\/[\d.]+)?|.*)" \d{3} /;
// Lookups without a query string are an empty list, and cities are not those of a country.
const cutOff = /\/(?:lookups|cities)\/?$/;
const origin = /^https?:\/\/[^/]+/;

const record = z.object({
  method: z.string().toUpperCase(),
  path: z
    .string()
    .overwrite((path) => path.replace(origin, ''))
    .startsWith('/'),
  headers: z.record(z.string().toLowerCase(), z.coerce.string()).nullish(),
  body: z
    .string()
    .or(z.looseObject({}).transform((body) => JSON.stringify(body)))
    .nullish(),
});

/**
 * Yields the requests of a recording, whose content determines the format; undefined for an unreadable request. Streams
 * lines; HAR is read whole, and only its requests below the `base` URL count, if there are any. Removes the path of
 * `base`. `place` is the line or the entry of HAR.
 */
export async function* readRecording(input: Readable, base: string) {
  const prefix = base.replace(origin, '');
  const har: string[] = [];
  let number = 0;
  for await (const line of linesOf(input)) {
    number += 1;
    // HAR starts here; all further lines belong to it.
    if (har.length > 0 || /^\s*\{\s*(?:"log"|$)/.test(line)) har.push(line);
    else if (line.trim() !== '') yield { request: requestOfLine(line.trim(), prefix), place: `line ${number}` };
  }
  if (har.length === 0) return;
  for (const { entry, ...each } of harRecords(har.join('\n'), base))
    yield { request: requestOf(each, prefix), place: `entry ${entry}` };
}

// Splits at line feeds only: bodies may contain other line ends, such as U+2028.
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    rest += chunk;
    // Splitting a long line again with each chunk would take quadratic time.
    if (!chunk.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

function requestOfLine(line: string, prefix: string): RecordedRequest | 'not HTTP' | 'without query' | undefined {
  const logged = accessLogLine.exec(line);
  if (logged?.[2] && cutOff.test(logged[2])) return 'without query';
  if (logged !== null) return logged[1] ? requestOf({ method: logged[1], path: logged[2] }, prefix) : 'not HTTP';
  try {
    return requestOf(JSON.parse(line), prefix);
  } catch {
    return undefined;
  }
}

/** The parts of HAR that matter here. */
interface Har {
  log: { entries: { request?: HarRequest }[] };
}

interface HarRequest {
  method: string;
  url: string;
  headers?: { name: string; value: string }[];
  postData?: { text?: string; params?: { name: string; value?: string }[] };
}

function harRecords(text: string, base: string) {
  try {
    const { log }: Har = JSON.parse(text.trim());
    const requests = log.entries.map((each, index) => ({ ...each?.request, entry: index + 1 }));
    // Browsers also record requests to other hosts.
    const own = requests.filter(({ url }) => String(url).startsWith(`${base}/`));
    return (own.length > 0 ? own : requests).map(({ entry, method, url, headers, postData }) => {
      const all = Object.fromEntries((headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));
      const form = postData?.text ? undefined : postData?.params;
      if (form) all['content-type'] = 'application/x-www-form-urlencoded';
      const pairs = form?.map(({ name, value = '' }) => [name, value] as [string, string]);
      return { entry, method, path: url, headers: all, body: postData?.text || new URLSearchParams(pairs).toString() };
    });
  } catch (error) {
    throw new OperatorError(`The file begins as HAR does, and cannot be read: ${(error as Error).message}.`);
  }
}

function requestOf(recorded: unknown, prefix: string): RecordedRequest | undefined {
  const { data } = record.safeParse(recorded);
  if (data === undefined) return undefined;
  const { method } = data;
  const path = data.path.startsWith(`${prefix}/`) ? data.path.slice(prefix.length) : data.path;
  const headers = Object.fromEntries(Object.entries(data.headers ?? {}).filter(([name]) => !droppedHeaders.test(name)));
  // The body of a read has no meaning.
  const body = method === 'GET' || method === 'HEAD' ? '' : (data.body ?? '');
  if (body !== '') headers['content-type'] ??= 'application/json';
  return { method, path, headers, body };
}
