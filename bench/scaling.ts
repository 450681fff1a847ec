import { type Contender, httpContender } from './contender.ts';
import type { Data } from './data.ts';
import { query, withClient } from './database.ts';
import type { Generator, Requests } from './load.ts';
import { type Measurement, measure } from './measure.ts';
import type { Options } from './options.ts';
import { listScenarios, type Scenario } from './scenarios.ts';
import type { Server } from './server.ts';
import { writeRequests } from './write.ts';

/** The same requests with few and with many items in the database. */
export interface Scaling {
  comparisons: { title: string; measurements: Measurement[] }[];
  plans: Plan[];
  scans: Scans[];
}

/** A statement that the service sent, and how PostgreSQL runs it with the many items, whatever its values. */
export interface Plan {
  statement: string;
  plan: string[];
}

/** How often a table was read while the many items were asked for, and which way. */
export interface Scans {
  table: string;
  sequential: number;
  index: number;
}

export interface LoadedService {
  service: Server;
  data: Data;
}

/** Compares the first service, which has few items, with the second, which has many; stops the second. */
export async function measureScaling(few: LoadedService, many: LoadedService, options: Options): Promise<Scaling> {
  const before = await readScans(many.data.url);
  const comparisons: Scaling['comparisons'] = [];
  const statements = await watchStatements(many.data.url, async () => {
    for (const [title, requestsOf] of requests) {
      const contenders = [few, many].map((loaded, index) =>
        // The shares of the results are then those of the few.
        contender(options.generator, loaded, requestsOf(loaded.data), index === 0 ? 'limit' : 'service'),
      );
      comparisons.push({ title, measurements: await measure(contenders, options) });
    }
  });
  // What its connections have read is counted for sure only when they have ended.
  await many.service.stop();
  return {
    comparisons,
    plans: await explain(many.data.url, statements),
    scans: subtract(await readScans(many.data.url), before),
  };
}

const requests: [title: string, requestsOf: (data: Data) => Requests][] = [
  [
    '50 items with their tags, another page each time',
    (data) => {
      const { headers, requests: list } = listScenarios(data).find(({ id }) => id === 'graphql-item-pages') as Scenario;
      return { headers, list };
    },
  ],
  ['PUT of a tag', writeRequests],
];

function contender(
  generator: Generator,
  { service, data }: LoadedService,
  sent: Requests,
  role: 'limit' | 'service',
): Contender {
  const label = `${data.counts.items.toLocaleString('en')} items`;
  return httpContender(generator, {
    name: 'service',
    label,
    role,
    server: service,
    requests: sent,
    check: async () => {},
  });
}

/** Does some work; returns the statements on items and tags that PostgreSQL is seen to run meanwhile. */
async function watchStatements(url: string, work: () => Promise<void>): Promise<string[]> {
  const statements = new Set<string>();
  await withClient(url, async (client) => {
    const watch = async () => {
      const { rows } = await client.query<{ query: string }>(
        `select distinct query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ~ '"(items|product_tag)'`,
      );
      for (const row of rows) statements.add(row.query);
    };
    const timer = setInterval(watch, 50);
    try {
      await work();
    } finally {
      clearInterval(timer);
      await watch();
    }
  });
  return [...statements].toSorted();
}

async function explain(url: string, statements: string[]): Promise<Plan[]> {
  return Promise.all(
    statements.map(async (statement) => {
      const rows = await query<{ 'QUERY PLAN': string }>(url, `explain (generic_plan, costs off) ${statement}`);
      return { statement, plan: rows.map((row) => row['QUERY PLAN']) };
    }),
  );
}

const tables = ['items', 'product_taggings', 'product_tags'];

async function readScans(url: string): Promise<Scans[]> {
  return query<Scans>(
    url,
    `select relname as table, seq_scan::integer as sequential, idx_scan::integer as index
    from pg_stat_user_tables where relname = any($1) order by relname`,
    [tables],
  );
}

function subtract(after: Scans[], before: Scans[]): Scans[] {
  return after.map((scans, index) => ({
    table: scans.table,
    sequential: scans.sequential - (before[index]?.sequential ?? 0),
    index: scans.index - (before[index]?.index ?? 0),
  }));
}
