import { appendFile, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { redactTokens } from '../../../kernel/token.ts';
import type { Admin } from '../commands.ts';
import { openInput, writeWhole } from '../files.ts';
import { parseCount } from '../options.ts';
import { compare } from './comparison.ts';
import { parsePath } from './differences.ts';
import { readIds } from './ids.ts';
import { readRecording } from './recording.ts';
import { escapeControls, reportPage, verdictOf } from './report.ts';
import { Tally } from './tally.ts';

/** Maximum number of differences in the last message. */
const maxListed = 20;
/** Reports contain data of partners. */
const ownerOnly = 0o600;
const barLength = 20;
const signals = ['SIGINT', 'SIGTERM'] as const;

const notes = `
The file is HAR, JSON lines of {"method", "path", "headers", "body"}, or an access log in combined format. Both services
get each request at the same time, without recorded cookies, conditions and tokens. The environment variables OLD_TOKEN
and NEW_TOKEN are the bearer tokens of the services; they are never printed. After 429 with Retry-After, a request is
sent again. Redirects are not followed. If a HAR file has requests to the old service, its other requests are ignored.
The URLs may have a path: requests below the path of --old go below the path of --new.

Reads are GET, HEAD, and GraphQL queries. Other requests are skipped. --writes sends all requests, one at a time and in
order: use it only if both services have a database for this test.

Kinds of differences: status, content_type, and in JSON missing, extra, value and order. Each is reported once for each
route, language and path, with the number of requests. --ignore takes a reported path, which includes all paths below
it, or a pattern such as $.lookups[*].*[*].name (of any list) or $..request_id (at any depth).

The map of ids is CSV with the columns old,new. It applies to segments of paths, and to parameters, members and GraphQL
arguments named id or ids, or ending in _id, _ids, Id or Ids: in requests to the new service, and in responses of the
old one.

Exit codes: 0 all responses are the same; 1 some differ or failed, or the file has unreadable requests.`;

export function addCompareCommand(admin: Admin): void {
  admin
    .command(
      'compare',
      'send recorded requests to two services, and compare the responses',
      'requests.har --old https://old.example --new http://127.0.0.1:4000 --report report.html',
      "access.log --old https://old.example --new http://127.0.0.1:4000 --rate 50 --ignore '$..request_id'",
    )
    .addHelpText('after', notes)
    .argument('<file>', 'recorded requests; - reads standard input')
    .requiredOption('--old <url>', 'the service to replace', parseUrl)
    .requiredOption('--new <url>', 'the service that replaces it', parseUrl)
    .option('--ignore <path>', 'JSON path that may differ; repeatable', (text, all: RegExp[] = []) => [
      ...all,
      parsePath(text),
    ])
    .option('--map-ids <file>', 'ids of the old service that differ in the new one')
    .option('--concurrency <number>', 'concurrent requests', parseCount, 4)
    .option('--rate <number>', 'maximum requests per second', parseCount)
    .option('--timeout <seconds>', 'longest time for a response', parseCount, 30)
    .option('--writes', 'also send requests that change something')
    .option('--report <file>', 'write an HTML page that shows each kind of difference')
    .action(async (file, { old, new: other, mapIds, timeout, report, ...options }) => {
      const { output, host } = admin;
      const tally = new Tally(createRedact(Object.values(host.tokens)));
      const ids = await readIds(mapIds === undefined ? undefined : await openInput(mapIds));
      const size = file === '-' ? Number.NaN : (await stat(file)).size || Number.NaN;
      // Fail before the work if the report cannot be written.
      if (report !== undefined) await appendFile(report, '', { mode: ownerOnly });
      const print = () => {
        if (report !== undefined) writeWhole(report, reportPage(old, other, tally), ownerOnly);
        const { summary, skipped, unreadable, unreadablePlaces, rows, differences } = tally;
        const result = { verdict: verdictOf(tally), summary, skipped, unreadable, unreadablePlaces, differences };
        const places = unreadable > 0 ? ` (${unreadablePlaces.join(', ')})` : '';
        if (skipped + unreadable > 0)
          output.error(
            `Skipped: ${skipped}, which are writes or not HTTP requests. Unreadable: ${unreadable}${places}.`,
          );
        if (summary.sent === 0) return;
        if (admin.isJson) output.print(escapeControls(JSON.stringify(result)));
        else output.list(rows, false);
      };
      // Prepend it, because the listener of the process exits at once.
      const onSignal = (signal: NodeJS.Signals) => {
        output.error('Interrupted: this is what was compared so far.');
        print();
        process.exit(128 + constants.signals[signal]);
      };
      for (const signal of signals) process.prependOnceListener(signal, onSignal);
      await compare(readRecording(await openInput(file), size, old), {
        ignore: [],
        rate: Infinity,
        writes: false,
        ...options,
        old: { url: old, token: host.tokens.old, timeout },
        new: { url: other, token: host.tokens.new, timeout },
        ids,
        tally,
        onProgress: (share) => output.progress(progressOf(share, tally)),
      });
      for (const signal of signals) process.off(signal, onSignal);
      print();
      if (tally.summary.sent === 0) throw new OperatorError('No request was sent.');
      if (tally.summary.same < tally.summary.sent || tally.unreadable > 0) throw new OperatorError(sentencesOf(tally));
      if (!admin.isJson) output.print(`\n${verdictOf(tally)}`);
    });
}

function sentencesOf(tally: Tally): string {
  const { differences } = tally;
  const kinds = differences.map(({ kind, path = '', route, language, count, example }) => {
    const where = kind === 'failed' ? `(old: ${example.old}, new: ${example.new})` : path;
    return `  ${count} x ${`${kind} ${where}`.trim()}: ${route}, ${language}`;
  });
  const lines = [verdictOf(tally), ...kinds.slice(0, maxListed)];
  if (kinds.length > maxListed) lines.push(`  and ${kinds.length - maxListed} more; --report and --json have all`);
  return lines.map(escapeLine).join('\n');
}

const escapeLine = (line: string) => escapeControls(line).replaceAll('\n', '\\u000a');

function progressOf(share: number, { summary: { sent, different, failed } }: Tally): string {
  const counts = `${sent} sent, ${different} different, ${failed} failed`;
  if (Number.isNaN(share)) return counts;
  const full = Math.floor(share * barLength);
  return `${'█'.repeat(full)}${'░'.repeat(barLength - full)} ${Math.floor(share * 100)} %  ${counts}`;
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
