import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { createAdmin, expectFailure, type ProcessEnv, startService } from '../support/process.ts';
import { copyEmbedded, copyTemplate, openDatabase, use, useFolder } from '../support/test-app.ts';

const later = '20991231000000_later';
const appliedAt = '2099-12-31T01:02:03.456Z';

async function migrateFurther(env: ProcessEnv, { lacking }: { lacking?: string } = {}): Promise<void> {
  await using database = await openDatabase(env as never);
  await sql`insert into kysely_migration values (${later}, ${appliedAt})`.execute(database.db);
  await sql`delete from kysely_migration where name = ${lacking}`.execute(database.db);
}

const dataDir = join(await useFolder(), 'data');
await copyEmbedded(dataDir);
const embedded = { DATA_DIR: dataDir };
const database = use(await copyTemplate());
for (const env of [embedded, database.env]) await migrateFurther(env);

const databases: [name: string, env: ProcessEnv][] = [
  ['PostgreSQL', database.env],
  ['the embedded database', embedded],
];

const says = `The database is newer than this version: it has ${later} too. No changes were made.`;

test('migrate reports that the embedded database is newer', async () => {
  expect(await createAdmin(embedded).print('migrate')).toBe(says);
});

test('migrate reports that the database is newer, and its status lists the unknown migration', async () => {
  const { print, list } = createAdmin(database.env);
  expect(await print('migrate')).toBe(says);
  expect(await list('migrate')).toEqual({ migrated: [], unknown: [later] });
  expect(await list('migrate', '--status')).toEqual([
    ...Object.keys(migrations).map((name) => expect.objectContaining({ state: 'applied', name })),
    { state: 'unknown', name: later, applied_at: appliedAt },
  ]);
});

test.each(databases)('the service starts with a warning about a newer database: %s', async (_name, env) => {
  await using service = await startService(env);
  expect((await service.client.rest('GET', '/services')).status).toBe(200);
  expect(service.stdout).toMatch(new RegExp(`"level":40.*"${later}".*"the database is newer than this version"`));
});

test('migrate fails if the database also lacks a migration', async () => {
  await using diverged = await copyTemplate();
  const lacking = Object.keys(migrations).at(-1) as string;
  await migrateFurther(diverged.env, { lacking });
  const { run, list } = createAdmin(diverged.env);
  expectFailure(
    await run('migrate'),
    new RegExp(`are unknown to this version \\(${later}\\), and lacks others \\(${lacking}\\)`),
  );
  expect(await list('migrate', '--status')).toContainEqual({ state: 'pending', name: lacking, applied_at: null });
});
