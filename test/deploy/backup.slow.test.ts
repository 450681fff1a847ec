import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import type { Database } from '../../src/domain/tables.ts';
import { Client } from '../support/client.ts';
import { documentBlocks } from '../support/documents.ts';
import { databaseUrl, execute, startInstalledPostgres } from '../support/postgres-server.ts';
import { createDatabase } from '../support/postgres-template.ts';
import { lacks } from '../support/programs.ts';
import { runCommands } from '../support/shell.ts';
import { copyEmbedded, openDatabase, useFolder } from '../support/test-app.ts';

type Env = Record<string, string>;

const folder = await useFolder();
const blocks = await documentBlocks('docs/operations/backup.md');
const run = (heading: string, env: Env) => {
  const [block, ...others] = blocks.filter((each) => each.heading === heading);
  expect(others).toEqual([]);
  return runCommands(block?.code ?? '', folder, env);
};

test('covers every command block', () => {
  expect(blocks.map(({ heading }) => heading)).toEqual([
    'Back up PostgreSQL',
    'Restore PostgreSQL',
    'Back up the embedded database',
    'Restore the embedded database',
  ]);
});

test.skipIf(lacks('initdb', 'pg_dump', 'pg_restore', 'psql'))('restores every row of PostgreSQL', async () => {
  await using server = await startInstalledPostgres();
  const DATABASE_URL = await createDatabase(server.url, 'gateway');
  const written = await write({ DATABASE_URL });
  const copied = await serve({ DATABASE_URL }, () => run('Back up PostgreSQL', { DATABASE_URL }));
  expect(Number(copied)).toBe(Object.keys(written.rows).length - 1);
  await execute(server.url, 'drop database gateway');
  const RESTORED_URL = databaseUrl(server.url, 'gateway_restored');
  expect(await run('Restore PostgreSQL', { SERVER_URL: server.url, RESTORED_URL })).toContain('Demo Partner');
  await goOn({ DATABASE_URL: RESTORED_URL }, written);

  await execute(server.url, 'create database data_alone');
  const DATA_URL = databaseUrl(server.url, 'data_alone');
  for (const part of ['--schema-only', '--data-only']) {
    const restore = 'psql --quiet --set=ON_ERROR_STOP=1 --output=/dev/null "$DATA_URL"';
    await runCommands(`pg_dump ${part} "$RESTORED_URL" | ${restore}`, folder, { RESTORED_URL, DATA_URL });
  }
  await using restored = await openDatabase({ DATABASE_URL: RESTORED_URL });
  await using data = await openDatabase({ DATABASE_URL: DATA_URL });
  // Restored lists are changes. Restored links are not: the tags have their versions and counts already.
  const rows = async (db: Database) => ({ ...(await allRows(db)), 'public.reference_version': [] });
  expect(await rows(data.db)).toEqual(await rows(restored.db));
  const unbound = await sql`select tgname from pg_trigger join pg_proc on pg_proc.oid = tgfoid
    where not tgisinternal and coalesce(proconfig::text, '') not like '%search_path=%'`.execute(data.db);
  expect(unbound.rows).toEqual([]);
});

test('restores every row of the embedded database', async () => {
  const [DATA_DIR, RESTORED_DIR] = [join(folder, 'data'), join(folder, 'restored')];
  const backup = () => run('Back up the embedded database', { DATA_DIR });
  await copyEmbedded(DATA_DIR);
  const written = await write({ DATA_DIR }, () => expect(backup()).rejects.toThrow());
  await backup();
  await rm(DATA_DIR, { recursive: true });
  expect(await run('Restore the embedded database', { RESTORED_DIR })).toContain('Demo Partner');
  await goOn({ DATA_DIR: RESTORED_DIR }, written);
});

const create = { name_en: 'Spicy', name_ar: 'حار', item_ids: [1, 2] };
const headers = { 'Idempotency-Key': 'before' };

async function write(env: Env, whileServing = async () => {}) {
  const written = await serve(env, async (client, db) => {
    const { token } = await issueToken(db, demoPartner, { days: null });
    const { body: created } = await client.rest('POST', '/product_tags', { token, body: create, headers });
    const last = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Sweet', item_ids: [3] } });
    const update = await client.rest('PUT', `/product_tags/${last.body.id}`, { token, body: { name_en: 'Mild' } });
    expect(update.status).toBe(200);
    await whileServing();
    return { token, created, lastId: last.body.id };
  });
  await using database = await openDatabase(env);
  return { ...written, rows: await allRows(database.db) };
}

/** A restored database has all rows, its token works, a retry returns the original tag, and the next tag has the next id. */
function goOn(env: Env, { token, created, lastId, rows }: Awaited<ReturnType<typeof write>>): Promise<void> {
  return serve(env, async (client, db) => {
    expect(await allRows(db)).toEqual(rows);
    const { body } = await client.graphql('{ partner { name } }', {}, { token });
    expect(body.data?.partner.name).toBe(demoPartner);
    const replayed = await client.rest('POST', '/product_tags', { token, body: create, headers });
    expect([replayed.body, replayed.headers.get('idempotency-replayed')]).toEqual([created, 'true']);
    const next = await client.rest('POST', '/product_tags', { token, body: { name_en: 'Sour' } });
    expect(next.body.id).toBe(lastId + 1);
  });
}

async function serve<Result>(env: Env, work: (client: Client, db: Database) => Promise<Result>): Promise<Result> {
  const service = createGateway(envToConfig({ ...env, PORT: '0', LOG_LEVEL: 'error', SHUTDOWN_DELAY: '0' }));
  try {
    const { db, url } = await service.start();
    return await work(new Client(url), db);
  } finally {
    await service.stop();
  }
}

async function allRows(db: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by name`.execute(db);
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const read = sql<{ row: string }>`select each::text as row from ${sql.raw(name)} as each order by row`;
    rows[name] = (await read.execute(db)).rows.map(({ row }) => row);
  }
  const { rows: sequences } = await sql<{ row: string }>`
    select concat_ws(' ', sequencename, last_value) as row from pg_sequences order by row`.execute(db);
  expect(Object.keys(rows).length).toBeGreaterThan(15);
  return { ...rows, sequences: sequences.map(({ row }) => row) };
}
