import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { root } from '../support/documents.ts';
import { databaseUrl, execute } from '../support/postgres-server.ts';
import { createAdmin, expectFailure } from '../support/process.ts';
import { copyTemplate, openDatabase, startApp, use } from '../support/test-app.ts';

const { url: server } = inject('template') as { url: string };

const withOptions = (url: string | undefined, options: string) => `${url}?options=${encodeURIComponent(options)}`;

test('DateStyle and TimeZone of the database and of the URL have no effect', async () => {
  const { env } = use(await copyTemplate());
  const name = new URL(env.DATABASE_URL as string).pathname.slice(1);
  await execute(server, `alter database ${name} set datestyle to 'German, DMY'`);
  await execute(server, `alter database ${name} set timezone to 'Asia/Riyadh'`);
  const options = '-c work_mem=5MB -c TimeZone=Asia/Tokyo';
  for (const DATABASE_URL of [env.DATABASE_URL, withOptions(env.DATABASE_URL, options)]) {
    const { print, list } = createAdmin({ DATABASE_URL });
    await print('company', 'suspend', '1');
    expect(await print('export', 'companies')).toMatch(/^1,.*,20\d\d-\S+\+00:00$/m);
    await print('company', 'resume', '1');
    expect(await list('log', '--limit', '1')).toMatchObject([{ command: 'company resume' }]);
  }
  await using app = await startApp({ DATABASE_URL: withOptions(env.DATABASE_URL, options) });
  expect(JSON.stringify(app.logLines)).not.toContain('pooler ignores');
  await using database = await openDatabase({ DATABASE_URL: withOptions(env.DATABASE_URL, options) });
  const { rows } = await sql`select current_setting('work_mem') as memory`.execute(database.db);
  expect(rows).toEqual([{ memory: '5MB' }]);
});

test('the service warns at its start when the version of the ICU collation has changed', async () => {
  const { env } = use(await copyTemplate());
  const DATABASE_URL = env.DATABASE_URL as string;
  const start = async () => {
    await using app = await startApp({ DATABASE_URL });
    return JSON.stringify(app.logLines);
  };
  expect(await start()).not.toContain('ICU version');
  await execute(DATABASE_URL, `update pg_collation set collversion = '1' where collname = 'und-x-icu'`);
  expect(await start()).toContain('the ICU version differs');
  // The commands of the runbook, which names every index of the collation.
  const runbook = readFileSync(join(root, 'docs/operations/runbook.md'), 'utf8');
  const indexes = [...runbook.matchAll(/reindex index concurrently (\w+);/g)].map(([, index]) => index);
  await using database = await openDatabase({ DATABASE_URL });
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes where indexdef like '%und-x-icu%'`.execute(database.db);
  expect(indexes.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  for (const index of indexes) await execute(DATABASE_URL, `reindex index concurrently ${index}`);
  await execute(DATABASE_URL, 'alter collation pg_catalog."und-x-icu" refresh version');
  expect(await start()).not.toContain('ICU version');
});

test('migrate reports the first error of PostgreSQL, also if another schema is migrated', async () => {
  const { env } = use(await copyTemplate({ empty: true }));
  await execute(env.DATABASE_URL as string, 'create schema other');
  await createAdmin({ DATABASE_URL: withOptions(env.DATABASE_URL, '-c search_path=other') }).print('migrate');
  const role = `migrator_${randomBytes(4).toString('hex')}`;
  await execute(server, `create role ${role} login password 'secret'`);
  onTestFinished(async () => void (await execute(server, `drop role ${role}`)));
  const unprivileged = Object.assign(new URL(env.DATABASE_URL as string), { username: role, password: 'secret' }).href;
  for (const [DATABASE_URL, says] of [
    [unprivileged, /permission denied for schema public/],
    [withOptions(env.DATABASE_URL, '-c search_path=nowhere'), /no schema has been selected to create in/],
    [withOptions(env.DATABASE_URL, '-c search_path='), /The search_path names no existing schema/],
    [withOptions(env.DATABASE_URL, '-c default_transaction_read_only=on'), /in a read-only transaction/],
  ] as const) {
    expectFailure(await createAdmin({ DATABASE_URL }).run('migrate'), says);
  }
  expect(await createAdmin({ DATABASE_URL: env.DATABASE_URL }).print('migrate')).toContain('Migrated: ');
  await expect(startApp({ DATABASE_URL: unprivileged })).rejects.toThrow(
    /lacks privileges \(permission denied for table kysely_migration\)/,
  );
});

test.each(['SQL_ASCII', 'LATIN1'])('a database with the encoding %s is rejected', async (encoding) => {
  const name = `other_${randomBytes(4).toString('hex')}`;
  const locale = "locale_provider libc locale 'C'";
  await execute(server, `create database ${name} template template0 encoding '${encoding}' ${locale}`);
  onTestFinished(async () => void (await execute(server, `drop database ${name} with (force)`)));
  const says = new RegExp(`has the encoding ${encoding}.* need UTF8\\. Create a database`);
  expectFailure(await createAdmin({ DATABASE_URL: databaseUrl(server, name) }).run('migrate'), says);
  await expect(startApp({ DATABASE_URL: databaseUrl(server, name) })).rejects.toThrow(says);
});
