import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

export const root = fileURLToPath(new URL('..', import.meta.url));

const template = 'bench_template';

/** Makes the database that others are copies of: migrated and seeded by the service's own admin command. */
export async function createTemplate(serverUrl: string): Promise<void> {
  await query(serverUrl, `create database ${template}`);
  const url = databaseUrl(serverUrl, template);
  await runAdmin(url, 'migrate');
  await runAdmin(url, 'seed');
}

/** A migrated and seeded database of its own; returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `create database ${name} template ${template}`);
  return databaseUrl(serverUrl, name);
}

/** Runs the admin command of the service as it is built; returns what it printed. */
export async function runAdmin(url: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/admin.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  });
  return stdout.trim();
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(text, values)).rows);
}

export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
