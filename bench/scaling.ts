import { httpContender } from './contender.ts';
import type { Data } from './data.ts';
import { query, withClient } from './database.ts';
import { type Measurement, measure } from './measure.ts';
import type { Options } from './options.ts';
import { listScenarios, type Scenario } from './scenarios.ts';
import type { Server } from './server.ts';

/** The same request with few and with many items in the database. */
export interface Scaling {
  measurements: Measurement[];
  plans: Plan[];
  scans: Scans[];
}

/** A statement that the service sent, and how PostgreSQL runs it with the many items. */
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

export async function measureScaling(small: LoadedService, large: LoadedService, options: Options): Promise<Scaling> {
  const contenders = [small, large].map(({ service, data }, index) => {
    const { headers, request } = itemsScenario(data);
    return httpContender(options.generator, {
      name: 'service',
      label: `${data.counts.items.toLocaleString('en')} items`,
      // The shares of the results are then those of the small one.
      role: index === 0 ? 'limit' : 'service',
      server: service,
      requests: { headers, list: [request] },
      check: async () => {},
    });
  });
  const before = await readScans(large.data.url);
  const { result: measurements, statements } = await watchStatements(large.data.url, () =>
    measure(contenders, options),
  );
  // What its connections have read is counted for sure only when they have ended.
  await large.service.stop();
  return {
    measurements,
    plans: await explain(large.data.url, statements),
    scans: subtract(await readScans(large.data.url), before),
  };
}

function itemsScenario(data: Data): Scenario {
  return listScenarios(data).find((scenario) => scenario.id === 'graphql-items') as Scenario;
}

/** Does some work and notes meanwhile which statements on items PostgreSQL is seen to run: those really sent. */
async function watchStatements<Result>(url: string, work: () => Promise<Result>) {
  const statements = new Set<string>();
  const result = await withClient(url, async (client) => {
    const watch = async () => {
      const { rows } = await client.query<{ query: string }>(
        `select distinct query from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query ~ '"(items|product_taggings)"'`,
      );
      for (const row of rows) statements.add(row.query);
    };
    const timer = setInterval(watch, 50);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await watch();
    }
  });
  return { result, statements: [...statements] };
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
