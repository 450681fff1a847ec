import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Contender, Round } from './contender.ts';
import type { Data } from './data.ts';
import { peers, poolSize } from './peers.ts';
import { percentile } from './statistics.ts';
import { fewestItems, mostItems, tagUpdateStatements } from './tag-update.ts';

const run = promisify(execFile);

/** Its version; undefined where it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  const { stdout } = await run('pgbench', ['--version']).catch(() => ({ stdout: undefined }));
  return stdout?.trim();
}

/** PostgreSQL's own load generator, running the transaction of a tag's update on as many connections as the service has. */
export function pgbenchContender(data: Data): Contender {
  return {
    name: 'pgbench',
    ...peers.pgbench,
    check: async () => {},
    measure: (seconds) => runPgbench(data, seconds),
    rss: async () => undefined,
  };
}

async function runPgbench(data: Data, seconds: number): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbench-'));
  try {
    const scripts = await writeScripts(folder, data);
    const log = join(folder, 'log');
    const options = ['--no-vacuum', '--protocol=prepared', `--client=${poolSize}`, `--time=${seconds}`, '--log'];
    await run('pgbench', [...options, `--log-prefix=${log}`, ...scripts.map((path) => `--file=${path}`), data.url]);
    return summarize(await readLatencies(folder), seconds);
  } finally {
    await rm(folder, { recursive: true });
  }
}

// pgbench has no arrays: a script for each number of items, with a variable for each item.
async function writeScripts(folder: string, { companyId, tagIds, productIds }: Data): Promise<string[]> {
  const lengths = Array.from({ length: mostItems - fewestItems + 1 }, (_, index) => fewestItems + index);
  return Promise.all(
    lengths.map(async (length) => {
      const items = Array.from({ length }, (_, index) => `item${index}`);
      const ids = `array[${items.map((item) => `:${item}`).join(', ')}]`;
      const lines = [
        `\\set company ${companyId}`,
        `\\set tag ${randomOf(tagIds)}`,
        ...items.map((item) => `\\set ${item} ${randomOf(productIds)}`),
        'begin;',
        ...tagUpdateStatements(':company', ':tag', "'Tag '", ids).map((statement) => `${statement};`),
        'commit;',
      ];
      const path = join(folder, `update-${length}.sql`);
      await writeFile(path, `${lines.join('\n')}\n`);
      return path;
    }),
  );
}

/** An expression of pgbench for one of these ids, which lie as far from one another as the first two. */
function randomOf(ids: number[]): string {
  const [first = 0, second = first] = ids;
  const step = second - first;
  if (ids.some((id, index) => id !== first + index * step)) throw new Error('ids are not evenly spaced');
  return `${first} + ${step} * random(0, ${ids.length - 1})`;
}

/** Latencies of all transactions in µs, the third word of each line of its log. */
async function readLatencies(folder: string): Promise<number[]> {
  const files = (await readdir(folder)).filter((file) => file.startsWith('log'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) =>
    text
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[2])),
  );
}

function summarize(latencies: number[], seconds: number): Round {
  return {
    requestsPerSecond: latencies.length / seconds,
    p50: percentile(latencies, 50) / 1000,
    p99: percentile(latencies, 99) / 1000,
    cpuPerRequest: undefined,
    generatorShare: undefined,
  };
}
