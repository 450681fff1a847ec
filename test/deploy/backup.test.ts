import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { documentBlocks } from '../support/documents.ts';
import { databaseUrl, execute, startInstalledPostgres } from '../support/postgres-server.ts';
import { runAdmin, startService } from '../support/process.ts';
import { lacks } from '../support/programs.ts';
import { runCommands } from '../support/shell.ts';
import { openDatabase, useFolder } from '../support/test-app.ts';

type Env = Record<string, string>;

const folder = await useFolder();
const blocks = await documentBlocks('docs/operations/backup.md');
const run = (heading: string, env: Env) => {
  const [block, ...others] = blocks.filter((each) => each.heading === heading);
  expect(others).toEqual([]);
  return runCommands(block?.code ?? '', folder, env);
};

test('every block of commands is run', () => {
  expect(blocks.map(({ heading }) => heading)).toEqual([
    'Back up PostgreSQL',
    'Restore PostgreSQL',
    'Back up the embedded database',
    'Restore the embedded database',
  ]);
});

test.skipIf(lacks('initdb', 'pg_dump', 'pg_restore', 'psql'))('PostgreSQL loses nothing', async () => {
  await using server = await startInstalledPostgres();
  await execute(server.url, 'create database gateway');
  const DATABASE_URL = databaseUrl(server.url, 'gateway');
  const written = await write({ DATABASE_URL });
  const before = await allRows({ DATABASE_URL });
  const copied = await serve({ DATABASE_URL }, () => run('Back up PostgreSQL', { DATABASE_URL }));
  expect(Number(copied)).toBe(Object.keys(before).length - 1);
  await execute(server.url, 'drop database gateway');
  const RESTORED_URL = databaseUrl(server.url, 'gateway_restored');
  expect(await run('Restore PostgreSQL', { SERVER_URL: server.url, RESTORED_URL })).toContain('Demo Partner');
  expect(await allRows({ DATABASE_URL: RESTORED_URL })).toEqual(before);
  await goOn({ DATABASE_URL: RESTORED_URL }, written);
});

test.skipIf(lacks('initdb', 'pg_dump', 'psql'))('the data alone is restored into the same schema', async () => {
  await using server = await startInstalledPostgres();
  for (const name of ['gateway', 'restored']) await execute(server.url, `create database ${name}`);
  const [DATABASE_URL, RESTORED_URL] = [databaseUrl(server.url, 'gateway'), databaseUrl(server.url, 'restored')];
  await write({ DATABASE_URL });
  for (const part of ['--schema-only', '--data-only']) {
    const restore = 'psql --quiet --set=ON_ERROR_STOP=1 --output=/dev/null "$RESTORED_URL"';
    await runCommands(`pg_dump ${part} "$DATABASE_URL" | ${restore}`, folder, { DATABASE_URL, RESTORED_URL });
  }
  // Restored lists are changes. Restored links are not: the tags have their versions and counts already.
  const rows = async (env: Env) => ({ ...(await allRows(env)), 'public.reference_version': [] });
  expect(await rows({ DATABASE_URL: RESTORED_URL })).toEqual(await rows({ DATABASE_URL }));
  const unbound = await execute(
    RESTORED_URL,
    `select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and coalesce(proconfig::text, '') not like '%search_path=%'`,
  );
  expect(unbound.rows).toEqual([]);
});

test('the embedded database loses nothing', async () => {
  const [DATA_DIR, RESTORED_DIR] = [join(folder, 'data'), join(folder, 'restored')];
  const backup = () => run('Back up the embedded database', { DATA_DIR });
  const written = await write({ DATA_DIR }, () => expect(backup()).rejects.toThrow());
  const before = await allRows({ DATA_DIR });
  await backup();
  await rm(DATA_DIR, { recursive: true });
  expect(await run('Restore the embedded database', { RESTORED_DIR })).toContain('Demo Partner');
  expect(await allRows({ DATA_DIR: RESTORED_DIR })).toEqual(before);
  await goOn({ DATA_DIR: RESTORED_DIR }, written);
});

const create = { name_en: 'Spicy', name_ar: 'حار', item_ids: [1, 2] };
const headers = { 'Idempotency-Key': 'before' };

async function write(env: Env, whileServing = async () => {}) {
  for (const command of ['migrate', 'seed --demo'])
    expect(await runAdmin(env, ...command.split(' '))).toMatchObject({ code: 0 });
  const { stdout } = await runAdmin(env, 'token', 'issue', '--partner', 'Demo Partner');
  const token = stdout.trim();
  return serve(env, async (client) => {
    const { body: created } = await client.rest('POST', '/product_tags', { token, body: create, headers });
    const last = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Sweet', item_ids: [3] } });
    const update = await client.rest('PUT', `/product_tags/${last.body.id}`, { token, body: { name_en: 'Mild' } });
    expect(update.status).toBe(200);
    await whileServing();
    return { token, created, lastId: last.body.id };
  });
}

/** On the restored database, the token works, a retry returns the original tag, and the next tag has the next id. */
async function goOn(env: Env, { token, created, lastId }: Awaited<ReturnType<typeof write>>): Promise<void> {
  await serve(env, async (client) => {
    const { body } = await client.graphql('{ partner { name } }', {}, { token });
    expect(body.data?.partner.name).toBe('Demo Partner');
    const replayed = await client.rest('POST', '/product_tags', { token, body: create, headers });
    expect([replayed.body, replayed.headers.get('idempotency-replayed')]).toEqual([created, 'true']);
    const next = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Sour' } });
    expect(next.body.id).toBe(lastId + 1);
  });
}

async function serve<Result>(env: Env, work: (client: Client) => Promise<Result>): Promise<Result> {
  await using service = await startService(env);
  const result = await work(service.client);
  expect(await service.end('SIGTERM')).toBe(0);
  return result;
}

async function allRows(env: Env): Promise<Record<string, string[]>> {
  await using database = await openDatabase(env);
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by name`.execute(database.db);
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const read = sql<{ row: string }>`select each::text as row from ${sql.raw(name)} as each order by row`;
    rows[name] = (await read.execute(database.db)).rows.map(({ row }) => row);
  }
  const { rows: sequences } = await sql<{ row: string }>`
    select concat_ws(' ', sequencename, last_value) as row from pg_sequences order by row`.execute(database.db);
  expect(Object.keys(rows).length).toBeGreaterThan(15);
  return { ...rows, sequences: sequences.map(({ row }) => row) };
}
