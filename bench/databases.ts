import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseUrl } from '../test/support/postgres-server.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Creates a database, migrated and seeded by the admin command of a build; returns its URL. */
export async function createDatabase(serverUrl: string, name: string, buildRoot: string): Promise<string> {
  await query(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  await runAdmin(buildRoot, url, 'migrate');
  await runAdmin(buildRoot, url, 'seed');
  return url;
}

/** Runs the admin command of a build; returns what it printed. */
export async function runAdmin(cwd: string, url: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/admin.js', ...args], { cwd, env });
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
