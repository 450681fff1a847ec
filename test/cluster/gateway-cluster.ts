import { vi } from 'vitest';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { startHAProxy } from '../support/haproxy.ts';
import { execute, startInstalledPostgres, startStandby } from '../support/postgres-server.ts';
import { createDatabase } from '../support/postgres-template.ts';
import { startService } from '../support/process.ts';
import { startRedis } from '../support/redis-server.ts';
import { createTenant } from '../support/tenant.ts';
import { openDatabase } from '../support/test-app.ts';

export const programs = ['haproxy', 'redis-server', 'initdb'];

const limits = ['TOKEN_READS', 'TOKEN_WRITES', 'ADDRESS_READS', 'ADDRESS_WRITES'];

export type GatewayCluster = Awaited<ReturnType<typeof startGatewayCluster>>;

/** Starts three replicas behind a load balancer, a primary with its standby, and Redis. */
export async function startGatewayCluster() {
  await using cleanup = new AsyncDisposableStack();
  const { primary, standby } = await startPostgresPair(cleanup);
  const redis = cleanup.use(await startRedis());
  await createDatabase(primary.url, 'gateway');

  const getAddress = (url: string) => new URL(url).host;
  const servers = { POSTGRES_1: getAddress(primary.url), POSTGRES_2: getAddress(standby.url) };
  const databases = cleanup.use(await startHAProxy(['haproxy-postgres.cfg'], servers));
  await databases.until('postgres', 'first');
  const balanced = { host: databases.address, pathname: '/gateway' };
  const DATABASE_URL = Object.assign(new URL(primary.url), balanced).href;
  const { db } = cleanup.use(await openDatabase({ DATABASE_URL }));
  const tenant = await createTenant(db, { products: 12 });

  const env = {
    DATABASE_URL,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY: undefined,
    // The load shares the machine with all servers.
    ...Object.fromEntries(limits.map((name) => [`RATE_LIMIT_${name}`, '1000000'])),
  };
  const ports = await Promise.all([1, 2, 3].map(async () => String(await freePort())));
  const start = (PORT: string) => startService({ ...env, PORT });
  const replicas = await Promise.all(ports.map(start));
  cleanup.defer(async () => void (await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()))));
  const addresses = ports.map((port, index) => [`REPLICA_${index + 1}`, `127.0.0.1:${port}`]);
  const balancer = cleanup.use(await startHAProxy(['haproxy.cfg'], Object.fromEntries(addresses)));
  const all = ['replica1', 'replica2', 'replica3'];
  /** Waits until the load balancer sends requests to these replicas alone. */
  const untilReady = (...names: string[]) => balancer.until('ready', ...(names.length > 0 ? names : all));
  await untilReady();
  const url = `http://${balancer.address}`;
  const running = cleanup.move();
  return {
    client: new Client(url),
    url,
    /** Direct connection to the current primary. */
    db,
    primary,
    promote: () => execute(standby.url, 'select pg_promote()'),
    replicas,
    tenant,
    /** Restarts a replica on its port; resolves once the load balancer sends requests to all. */
    async restart(index: number) {
      const port = ports[index] as string;
      // Like a supervisor, starts again a service that could not connect to the database in time.
      replicas[index] = await start(port).catch(() => start(port));
      await untilReady();
    },
    untilReady,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A primary of the installed PostgreSQL with a synchronous standby. */
async function startPostgresPair(cleanup: AsyncDisposableStack) {
  // Acknowledged writes are in the memory of two servers, one of which survives, so disk writes need not be waited for.
  const settings = ['fsync=off', 'full_page_writes=off'];
  const access = 'host postgres balancer 127.0.0.1/32 trust';
  const primary = cleanup.use(await startInstalledPostgres(access, settings));
  await execute(primary.url, 'create role balancer login connection limit 10');
  const standby = cleanup.use(await startStandby(primary, settings));
  await execute(primary.url, "alter system set synchronous_standby_names = 'standby'");
  await execute(primary.url, 'select pg_reload_conf()');
  const states = "select from pg_stat_replication where sync_state = 'sync'";
  await vi.waitUntil(async () => (await execute(primary.url, states)).rowCount === 1, { timeout: 100_000 });
  return { primary, standby };
}
