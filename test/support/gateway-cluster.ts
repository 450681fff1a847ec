import type { Database } from '../../src/domain/tables.ts';
import { openDatabase } from './app.ts';
import { Client } from './client.ts';
import { freePort } from './free-port.ts';
import { type HAProxy, startHAProxy } from './haproxy.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import { createDatabase } from './postgres-template.ts';
import { type Process, type ProcessEnv, startService } from './process.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** What a cluster needs of the machine. */
export const programs = ['haproxy', 'redis-server', 'initdb'];

/** The balancer's names of the replicas. */
const names = ['replica1', 'replica2', 'replica3'];

/** One of several processes of the service, always at the same port. */
class Replica implements AsyncDisposable {
  readonly address: string;
  readonly #env: ProcessEnv;
  #service: Process | undefined;

  constructor(port: number, env: ProcessEnv) {
    this.address = `127.0.0.1:${port}`;
    this.#env = { ...env, PORT: String(port) };
  }

  get url(): string {
    return `http://${this.address}`;
  }

  get service(): Process {
    return this.#service as Process;
  }

  /** Starts it; resolves when it answers. */
  async start(): Promise<void> {
    this.#service = await startService(this.#env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
  }
}

/** Three replicas behind a balancer, before a primary with its standby, and a Redis. */
export interface GatewayCluster extends AsyncDisposable {
  /** Asks the balancer. */
  client: Client;
  url: string;
  /** Whichever server takes writes, past the service. */
  db: Database;
  postgres: PostgresPair;
  redis: RedisServer;
  replicas: Replica[];
  tenant: Tenant;
  /** Waits until the balancer sends requests to all replicas. */
  untilReady(): Promise<void>;
}

/** Starts all of it, by default with limits that no test reaches. */
export async function startGatewayCluster(env: ProcessEnv = {}): Promise<GatewayCluster> {
  await using cleanup = new AsyncDisposableStack();
  const postgres = cleanup.use(await startPostgresPair());
  const redis = cleanup.use(await startRedis());
  await createDatabase(postgres.primary.url, 'gateway');

  const addressOf = (url: string) => new URL(url).host;
  const databases = cleanup.use(
    await startHAProxy('haproxy-postgres.cfg', {
      POSTGRES_1: addressOf(postgres.primary.url),
      POSTGRES_2: addressOf(postgres.standby.url),
    }),
  );
  await databases.until('postgres', 'first');
  const databaseUrl = new URL(postgres.primary.url);
  databaseUrl.host = databases.address;
  databaseUrl.pathname = '/gateway';
  const DATABASE_URL = databaseUrl.href;
  const { db } = cleanup.use(await openDatabase({ DATABASE_URL }));
  const tenant = await createTenant(db, { products: 12 });

  const replicaEnv = {
    DATABASE_URL,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY: undefined,
    // The load and all servers share the machine.
    MAX_EVENT_LOOP_DELAY: '0',
    RATE_LIMIT_TOKEN_READS: '1000000',
    RATE_LIMIT_TOKEN_WRITES: '1000000',
    RATE_LIMIT_ADDRESS_READS: '1000000',
    RATE_LIMIT_ADDRESS_WRITES: '1000000',
    ...env,
  };
  const replicas = await Promise.all(names.map(async () => new Replica(await freePort(), replicaEnv)));
  for (const replica of replicas) cleanup.use(replica);
  await Promise.all(replicas.map((replica) => replica.start()));
  const balancer: HAProxy = cleanup.use(
    await startHAProxy(
      'haproxy.cfg',
      Object.fromEntries(replicas.map(({ address }, index) => [`REPLICA_${index + 1}`, address])),
    ),
  );
  const untilReady = () => balancer.until('ready', ...names);
  await untilReady();
  const url = `http://${balancer.address}`;
  const running = cleanup.move();
  return {
    client: new Client(url),
    url,
    db,
    postgres,
    redis,
    replicas,
    tenant,
    untilReady,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
