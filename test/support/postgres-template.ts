import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { seed } from '../../src/domain/reference/seed/seed.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { migrateToLatest } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { databaseUrl, execute, startPostgres } from './postgres-server.ts';

declare global {
  var postgresTemplate: ReturnType<typeof createTemplate> | undefined;
}

/** Migrates and seeds the database that tests copy, on the server of TEST_DATABASE_URL or a temporary one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.postgresTemplate ??= createTemplate();
  const { template, tearDown } = await globalThis.postgresTemplate;
  project.provide('template', template);
  return tearDown;
}

async function createTemplate() {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, async [Symbol.asyncDispose]() {} } : await startPostgres();
  const prefix = `partner_gateway_test_${randomBytes(4).toString('hex')}`;
  const name = `${prefix}_template`;
  await createDatabase(server.url, name);
  let ended: Promise<void> | undefined;
  // Also drops databases of failed tests, so that nothing remains on a developer's server.
  const end = async () => {
    const list = `select datname from pg_database where datname like '${prefix}%'`;
    const { rows } = await execute<{ datname: string }>(server.url, list);
    for (const { datname } of rows) await execute(server.url, `drop database ${datname} with (force)`);
    await server[Symbol.asyncDispose]();
  };
  const tearDown = () => {
    ended ??= end();
    return ended;
  };
  return { template: { url: server.url, name, prefix }, tearDown };
}

/** Creates a migrated and seeded database; returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  await execute(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  const config = { databaseUrl: url, databasePoolSize: 1, databasePreparedStatements: false, dataDir: '' };
  const { db, close } = await connect(config, createLog('error'), { forRequests: false });
  await migrateToLatest(db);
  await seed(db, { demo: true });
  await close();
  return url;
}
