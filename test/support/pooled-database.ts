import { inject } from 'vitest';
import type { Tables } from '../../src/domain/tables.ts';
import { type Connection } from '../../src/platform/database/connect.ts';
import { copyTemplate, type Env, openDatabase, pooledEnv } from './app.ts';
import { type PgBouncer, startPgBouncer } from './pgbouncer.ts';
import { databaseUrl } from './postgres-template.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** How many connections to PostgreSQL that PgBouncer has: fewer than the service's to PgBouncer. */
export const serverConnections = 2;

/** A copy of the seeded database behind a PgBouncer of its own. */
export interface PooledDatabase extends AsyncDisposable {
  bouncer: PgBouncer;
  /** The database past PgBouncer. */
  direct: Connection<Tables>;
  /** What the service is to be started with. */
  env: Env & { DATABASE_URL: string };
  /** Its URL past PgBouncer. */
  directUrl: string;
  tenant: Tenant;
}

/** Starts a PgBouncer of few connections with the file of `deploy/`, and what `edit` makes of it. */
export async function startPooledDatabase(edit = (file: string) => file): Promise<PooledDatabase> {
  await using cleanup = new AsyncDisposableStack();
  const template = inject('template');
  if (template.kind !== 'postgres') throw new Error('these tests are about PostgreSQL');
  const { env } = cleanup.use(await copyTemplate());
  const bouncer = await startPgBouncer(template.url, (file) =>
    edit(file).replace(/^default_pool_size = .*$/m, `default_pool_size = ${serverConnections}`),
  );
  cleanup.use(bouncer);
  const name = new URL(env.DATABASE_URL as string).pathname.slice(1);
  const directUrl = databaseUrl(template.url, name);
  const direct = cleanup.use(await openDatabase({ DATABASE_URL: directUrl }));
  const tenant = await createTenant(direct.db);
  const running = cleanup.move();
  return {
    bouncer,
    direct,
    directUrl,
    env: pooledEnv(databaseUrl(bouncer.url, name)),
    tenant,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
