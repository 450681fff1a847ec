import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Options } from './command-line.ts';
import type { Data } from './data.ts';
import { query } from './databases.ts';
import type { ListTime } from './lists.ts';
import type { Measurement } from './measure.ts';
import type { MemoryCourse } from './memory.ts';
import { findPgbench } from './pgbench.ts';
import type { SyncStep } from './sync.ts';
import type { Waits, Worst } from './worst.ts';
import { connections } from './wrk.ts';

/** Describes the machine, the versions and the settings as Markdown. */
export async function describeCircumstances({ url, items }: Data, options: Options): Promise<string> {
  const [version] = await query<{ server_version: string }>(url, 'show server_version');
  const [processor] = cpus();
  const packages = readPackages('package.json');
  const service = readPackages('../package.json');
  const others = Object.keys(packages).filter((name) => name in service && service[name] !== packages[name]);
  if (others.length > 0) throw new Error(`other versions than the service's: ${others.join(' ')}`);
  const peers = ['express', '@apollo/server', 'mercurius', 'graphql-yoga', 'postgraphile'];
  const lines = [
    `${new Date().toISOString().slice(0, 10)}, Node ${process.version}, PostgreSQL ${version?.server_version}, ` +
      `${cpus().length} x ${processor?.model.trim()}, ${megabytes(totalmem())} MB, ` +
      `load ${loadavg()[0]?.toFixed(1)} before.`,
    `${peers.map((name) => `${name} ${packages[name]}`).join(', ')}, ${(await findPgbench()) ?? 'no pgbench'}.`,
    `100 companies, ${integer(items)} items, ${integer(items / 10)} tags, about ${integer(2.7 * items)} taggings.`,
    `wrk with ${connections} connections. Rounds of ${options.seconds} s in turns: figures are the ` +
      `medians of ${options.rounds}, shares those of each round's.`,
    'The limit is bare node:http sending the same bytes, for writes pgbench; ' +
      'the best peer is the fastest that computes.',
  ];
  if (options.quick) lines.push('**A quick run, without warm-up: it shows that everything works, not how fast.**');
  return lines.join('\n');
}

function readPackages(file: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).dependencies;
}

export function renderMeasurements(measurements: Measurement[]): string {
  const columns: [title: string, cell: (measurement: Measurement) => string | undefined][] = [
    ['', (m) => (m.role === 'service' ? `**${m.label}**` : m.label)],
    ['requests/s', (m) => integer(m.requestsPerSecond)],
    ['slowest - fastest', (m) => m.spread.map(integer).join(' - ')],
    ['p50 ms', (m) => m.p50?.toFixed(1)],
    ['p99 ms', (m) => m.p99?.toFixed(1)],
    ['CPU µs/request', (m) => ifKnown(m.cpuPerRequest, integer)],
    ['of PostgreSQL', (m) => ifKnown(m.databaseCpuPerRequest, integer)],
    ['RSS MB', (m) => ifKnown(m.rss, megabytes)],
    ['of the limit', (m) => ifKnown(m.ofLimit, (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`)],
    ['of the base', (m) => ifKnown(m.ofBase, times)],
    ['of the best peer', (m) => ifKnown(m.ofBestPeer, times)],
  ];
  const known = columns.filter(([, cell]) => measurements.some((measurement) => cell(measurement) !== undefined));
  return table(
    known.map(([title]) => title),
    measurements.map((measurement) => known.map(([, cell]) => cell(measurement) ?? '')),
  );
}

export function renderSync(label: string, steps: SyncStep[]): string[] {
  const rows = steps.map(({ title, service, database }) => [
    title,
    service.toFixed(0),
    database.toFixed(0),
    times(service / database),
  ]);
  const columns = ['', 'PUT over REST, ms', 'its statements alone, ms', 'ratio'];
  return [`## One large synchronization: ${label}`, table(columns, rows)];
}

export function renderMemory(label: string, { seconds, requests, rss }: MemoryCourse): string[] {
  const course = rss.map((bytes) => ifKnown(bytes, megabytes) ?? '?').join(', ');
  return [
    `## Memory: ${label}`,
    `RSS in MB, before and in the course of ${seconds} s of load ` +
      `(${integer(requests)} requests of every kind): ${course}.`,
  ];
}

export function renderWorst(label: string, rows: Worst[]): string[] {
  const waits = ({ p50, p95, max, errors }: Waits) => `${[p50, p95, max].map(integer).join(' / ')}, ${errors}`;
  const statuses = (counts: Worst['statuses']) =>
    Object.entries(counts)
      .map(([status, count]) => `${count} x ${status}`)
      .join(', ');
  const columns = ['beside', 'its responses', "a partner's 5 items", "a stranger's list"];
  return [
    `## The worst accepted operations: ${label}`,
    'What others wait beside each, p50 / p95 / max in ms, and their errors.',
    table(
      columns,
      rows.map((row) => [row.attack, statuses(row.statuses), waits(row.partner), waits(row.stranger)]),
    ),
  ];
}

export function renderLists(label: string, [plain, ...slowest]: ListTime[]): string[] {
  const row = ({ page, ms }: ListTime) => [`\`${page}\``, ms.toFixed(0)];
  return [
    `## The slowest pages of lists: ${label}`,
    'Every combination of conditions and orders, of which these ten take longest, beside a plain page.',
    table(['page', 'ms'], [...(plain ? [plain] : []), ...slowest].map(row)),
  ];
}

function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [columns, columns.map((_, index) => (index === 0 ? '---' : '---:')), ...rows].map(line).join('\n');
}

function ifKnown(value: number | undefined, format: (value: number) => string): string | undefined {
  return value === undefined ? undefined : format(value);
}

function integer(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function megabytes(bytes: number): string {
  return integer(bytes / 2 ** 20);
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)}x`;
}
