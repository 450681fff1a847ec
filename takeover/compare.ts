import { randomUUID } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { getSystemErrorMessage } from 'node:util';
import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import { OperatorError } from '../src/kernel/errors/operator-error.ts';
import { redactTokens } from '../src/kernel/token.ts';
import { formatTable } from '../src/surfaces/admin/commands.ts';
import { parseCount } from '../src/surfaces/admin/options.ts';
import { compareOutcomes, parsePath } from './differences.ts';
import { toEndpoint } from './endpoint.ts';
import { send } from './exchange.ts';
import { type RecordedRequest, readRecording } from './recording.ts';
import { escapeControls, reportPage, verdictOf } from './report.ts';
import { Tally } from './tally.ts';

/** Maximum number of differences in the last message. */
const maxListed = 20;
/** Reports contain data of partners. */
const ownerOnly = 0o600;
const signals = ['SIGINT', 'SIGTERM'] as const;
const [differs, wrongUsage] = [1, 2];

const notes = `
The file is HAR, JSON lines of {"method", "path", "headers", "body"}, or an access log in combined format. Both services
get each request at the same time, without recorded cookies, conditions and tokens. The environment variables OLD_TOKEN
and NEW_TOKEN are the bearer tokens of the services; they are never printed. After 429 with Retry-After, a request is
sent again. Redirects are not followed. Lines of an access log for lookups or cities without a query string are not
compared, because the log may have cut it off. If a HAR file has requests to the old service, its other requests are ignored.
The URLs may have a path: requests below the path of --old go below the path of --new.

Reads are GET, HEAD, and GraphQL queries. Other requests are skipped. --writes sends all requests, one at a time and in
order: use it only if both services have a database for this test.

Kinds of differences: status, content_type, and in JSON missing, extra, value and order. Each is reported once for each
route, language and path, with the number of requests. --ignore takes a reported path, which includes all paths below
it, or a pattern such as $.lookups[*].*[*].name (of any list) or $..request_id (at any depth).

Exit codes: 0 all responses are the same; 1 some differ or failed, or the file has unreadable requests; 2 wrong usage.

Examples:
  npx node takeover/compare.ts requests.har --old https://old.example --new http://127.0.0.1:4000 --report report.html
  npx node takeover/compare.ts access.log --old https://old.example --new http://127.0.0.1:4000 --rate 50`;

const cutOffLog =
  'No line of the access log has a query string, so the log cuts it off. Log the whole request line, such as $request of ' +
  'nginx or %r of Apache, and record again.';

const output = {
  print: (text: string) => process.stdout.write(`${text}\n`),
  error: (text: string) => process.stderr.write(`${text}\n`),
  progress(text: string) {
    if (process.stderr.isTTY) process.stderr.write(`${text}\x1b[K\r`);
  },
};
const { OLD_TOKEN, NEW_TOKEN } = process.env;

const program = new Command('npx node takeover/compare.ts')
  .description('Sends recorded requests to two services, and compares the responses.')
  .addHelpText('after', notes)
  .exitOverride()
  .showHelpAfterError('See: npx node takeover/compare.ts --help')
  .argument('<file>', 'recorded requests; - reads standard input')
  .requiredOption('--old <url>', 'the service to replace', parseUrl)
  .requiredOption('--new <url>', 'the service that replaces it', parseUrl)
  .option('--ignore <path>', 'JSON path that may differ; repeatable', (text, all: RegExp[] = []) => [
    ...all,
    parsePath(text),
  ])
  .option('--concurrency <number>', 'concurrent requests', parseCount, 4)
  .option('--rate <number>', 'maximum requests per second', parseCount)
  .option('--timeout <seconds>', 'longest time for a response', parseCount, 30)
  .option('--writes', 'also send requests that change something')
  .option('--report <file>', 'write an HTML page that shows each kind of difference')
  .action(async (file, { old, new: other, ignore = [], rate = Infinity, concurrency, timeout, writes, report }) => {
    const tally = new Tally(createRedact([OLD_TOKEN, NEW_TOKEN]));
    const recording = readRecording(file === '-' ? process.stdin : createReadStream(file), old);
    let nextStart = 0;

    async function exchange(request: RecordedRequest): Promise<void> {
      const now = performance.now();
      nextStart = Math.max(now, nextStart + 1_000 / rate);
      await setTimeout(nextStart - now);
      // One id for both services, because responses may repeat it, and to find the request in both logs.
      request.headers['x-request-id'] ??= randomUUID();
      const outcomes = await Promise.all([
        send({ url: old, token: OLD_TOKEN, timeout }, request),
        send({ url: other, token: NEW_TOKEN, timeout }, request),
      ]);
      tally.add(request, outcomes, compareOutcomes(...outcomes, ignore));
    }

    async function work(): Promise<void> {
      for await (const { request, place } of recording) {
        if (request === undefined) tally.addUnreadable(place);
        else if (request === 'without query') tally.withoutQuery += 1;
        else if (request !== 'not HTTP' && (writes || toEndpoint(request).isRead)) await exchange(request);
        else tally.skipped += 1;
        const { sent, different, failed } = tally.summary;
        output.progress(`${sent} sent, ${different} different, ${failed} failed`);
      }
    }

    const print = () => {
      if (report !== undefined) writeFileSync(report, reportPage(old, other, tally), { mode: ownerOnly });
      const { skipped, unreadable, unreadablePlaces, rows, withoutQuery } = tally;
      const places = unreadable > 0 ? ` (${unreadablePlaces.join(', ')})` : '';
      if (skipped + unreadable > 0)
        output.error(`Skipped: ${skipped}, which are writes or not HTTP requests. Unreadable: ${unreadable}${places}.`);
      if (withoutQuery > 0)
        output.error(`Not comparable: ${withoutQuery} requests for lookups or cities without a query string.`);
      if (rows.length > 0) output.print(formatTable(rows));
    };
    const onSignal = (signal: NodeJS.Signals) => {
      output.error('Interrupted: this is what was compared so far.');
      print();
      process.exit(128 + constants.signals[signal]);
    };

    // Fail before the work if the report cannot be written.
    if (report !== undefined) await appendFile(report, '', { mode: ownerOnly });
    for (const signal of signals) process.once(signal, onSignal);
    // All workers read from the same recording. Writes must keep their order.
    await Promise.all(Array.from({ length: writes ? 1 : concurrency }, work));
    print();
    if (tally.withoutQuery > 0 && !tally.hasQuery) throw new OperatorError(cutOffLog);
    if (tally.summary.sent === 0) throw new OperatorError('No request was sent.');
    if (tally.summary.same < tally.summary.sent || tally.unreadable > 0) throw new OperatorError(sentencesOf(tally));
    output.print(`\n${verdictOf(tally)}`);
  });

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : wrongUsage);
  const { path = 'that you named', errno } = error as NodeJS.ErrnoException;
  if (error instanceof OperatorError) output.error(error.message);
  else if (errno !== undefined) output.error(`The file ${path} cannot be used: ${getSystemErrorMessage(errno)}.`);
  else throw error;
  process.exitCode = differs;
}

function sentencesOf(tally: Tally): string {
  const { differences } = tally;
  const kinds = differences.map(({ kind, path = '', route, language, count, example }) => {
    const where = kind === 'failed' ? `(old: ${example.old}, new: ${example.new})` : path;
    return `  ${count} x ${`${kind} ${where}`.trim()}: ${route}, ${language}`;
  });
  const lines = [verdictOf(tally), ...kinds.slice(0, maxListed)];
  if (kinds.length > maxListed) lines.push(`  and ${kinds.length - maxListed} more; --report has all`);
  return lines.map((line) => escapeControls(line).replaceAll('\n', '\\u000a')).join('\n');
}

// Also redacts tokens that are escaped for JSON or a URL.
function createRedact(tokens: (string | undefined)[]): (text: string) => string {
  const forms = tokens
    .filter((token) => token !== undefined)
    .flatMap((token) => [JSON.stringify(token).slice(1, -1), encodeURIComponent(token)]);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '[token]'), redactTokens(text));
}

// Removes trailing slashes, because paths are appended.
function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
    return url.href.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must be an http:// or https:// URL without user, password and query');
}
