import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { type PooledDatabase, startPooledDatabase } from '../support/pooled-database.ts';
import { lacks } from '../support/programs.ts';

const unheard = { level: 40, msg: expect.stringMatching(/^changes of reference data are not announced here/) };

/** How old reference data can be when its change was not heard of, and time for a busy machine. */
const boundedAge = { timeout: 15_000, interval: 50 };

describe.skipIf(lacks('pgbouncer'))('changes of reference data, through PgBouncer', () => {
  let pooled: PooledDatabase;
  beforeAll(async () => {
    pooled = await startPooledDatabase();
  });
  afterAll(() => pooled?.[Symbol.asyncDispose]());

  async function start(env: Parameters<typeof startApp>[0]): Promise<[TestApp, () => Promise<unknown>]> {
    const port = await freePort();
    const app = await startApp({ ...env, MANAGEMENT_PORT: String(port) });
    const isListening = async () => {
      const { body } = await new Client(`http://127.0.0.1:${port}`).fetch<string>('GET', '/metrics');
      return /^database_listener_connected (\d)$/m.exec(body)?.[1];
    };
    return [app, isListening];
  }

  let renamed = 0;
  /** Renames a service through PgBouncer, and waits until the answers have that. */
  async function rename(app: TestApp, waiting: { timeout: number; interval: number }): Promise<void> {
    renamed += 1;
    const name = `Renamed ${renamed}`;
    await sql`update services set name_en = ${name} where code = 'delivery'`.execute(app.db);
    await expect
      .poll(async () => JSON.stringify((await app.client.rest('GET', '/services')).body), waiting)
      .toContain(name);
  }

  // Five in turn: to look every 4 s would find one in time by chance, not all. A busy machine may be late once.
  test('are seen at once with DATABASE_LISTEN_URL', { retry: 2 }, async () => {
    const [app, isListening] = await start(pooled.env);
    await using _ = app;
    await expect.poll(isListening, boundedAge).toBe('1');
    for (let change = 0; change < 5; change += 1) await rename(app, { timeout: 1_000, interval: 20 });
    expect(app.logLines).not.toContainEqual(expect.objectContaining(unheard));
  });

  test('are seen within 5 s without it, which is told', async () => {
    const { DATABASE_LISTEN_URL: _, ...env } = pooled.env;
    const [app, isListening] = await start(env);
    await using __ = app;
    await expect.poll(() => app.logLines, boundedAge).toContainEqual(expect.objectContaining(unheard));
    expect(await isListening()).toBe('0');
    await rename(app, boundedAge);
  });

  test('are seen within 5 s when it names another database, which is told', async () => {
    const { url } = inject('template') as { url: string };
    const [app, isListening] = await start({ ...pooled.env, DATABASE_LISTEN_URL: url });
    await using _ = app;
    await expect.poll(() => app.logLines, boundedAge).toContainEqual(expect.objectContaining(unheard));
    expect(await isListening()).toBe('0');
    await rename(app, boundedAge);
  });
});
