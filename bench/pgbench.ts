import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Contender, Round } from './contenders.ts';
import type { Data } from './data.ts';
import { peers, poolSize } from './peers.ts';
import { fewestItems, itemRange, itemsBetweenTags, mostItems, stride, tagUpdateStatements } from './tag-update.ts';

const run = promisify(execFile);

/** The version of pgbench; undefined if it is not installed. */
export async function findPgbench(): Promise<string | undefined> {
  const { stdout } = await run('pgbench', ['--version']).catch(() => ({ stdout: undefined }));
  return stdout?.trim();
}

/** The transaction of a tag update in pgbench, with generic and with custom plans: the faster run is the limit. */
export function pgbenchContenders(data: Data): Contender[] {
  return (['prepared', 'extended'] as const).map((protocol) => ({
    label: `${peers.pgbench.label}, ${protocol === 'prepared' ? 'planned once' : 'planned every time'}`,
    role: peers.pgbench.role,
    check: async () => {},
    measure: (seconds) => runPgbench(data, protocol, seconds),
    rss: async () => undefined,
  }));
}

async function runPgbench(data: Data, protocol: string, seconds: number): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbench-'));
  try {
    const scripts = await writeScripts(folder, data);
    const options = ['--no-vacuum', `--protocol=${protocol}`, `--client=${poolSize}`, `--time=${seconds}`];
    // Like the service's connections.
    const env = { ...process.env, PGOPTIONS: protocol === 'prepared' ? '-c plan_cache_mode=force_generic_plan' : '' };
    const files = scripts.map((path) => `--file=${path}`);
    const { stdout } = await run('pgbench', [...options, ...files, data.url], { env });
    return { requestsPerSecond: Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

// pgbench has no arrays, so there is a script for each number of items, with a variable per item.
async function writeScripts(folder: string, { companyId, tagIds, productIds }: Data): Promise<string[]> {
  const lengths = Array.from({ length: mostItems - fewestItems + 1 }, (_, index) => fewestItems + index);
  return Promise.all(
    lengths.map(async (length) => {
      const items = Array.from({ length }, (_, index) => `item${index}`);
      const ids = `array[${items.map((item) => `:${item}`).join(', ')}]`;
      const lines = [
        `\\set tag_index random(0, ${tagIds.length - 1})`,
        `\\set start (:tag_index * ${itemsBetweenTags}) % ${productIds.length - itemRange}`,
        `\\set shift random(0, ${itemRange - 1})`,
        `\\set company ${companyId}`,
        `\\set tag ${idAt(tagIds, ':tag_index')}`,
        ...items.map(
          (item, n) => `\\set ${item} ${idAt(productIds, `(:start + (${n * stride} + :shift) % ${itemRange})`)}`,
        ),
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

/** A pgbench expression for the id at an index; the ids are equally spaced. */
function idAt(ids: number[], index: string): string {
  const [first = 0, second = first] = ids;
  return `${first} + ${second - first} * ${index}`;
}
