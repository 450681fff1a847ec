import { envToConfig } from '../../src/app/config.ts';
import type { Database } from '../../src/domain/tables.ts';
import { openDatabase } from './app.ts';
import { Client } from './client.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { createDatabase } from './postgres-template.ts';
import { type ProcessEnv, type ServiceProcess, startService } from './process.ts';
import { contractOf } from './rest-contract.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** The service as an operator runs it: a process, and a PostgreSQL of its own that keeps what it acknowledged. */
export interface Gateway extends AsyncDisposable {
  client: Client;
  /** The database past the service. */
  db: Database;
  server: PostgresServer;
  service: ServiceProcess;
  tenant: Tenant;
}

/** Starts a database server and the service before it. */
export async function startGateway(env: ProcessEnv = {}): Promise<Gateway> {
  await using cleanup = new AsyncDisposableStack();
  const server = cleanup.use(await startPostgres({ durable: true }));
  const DATABASE_URL = await createDatabase(server.url, 'gateway');
  const { db } = cleanup.use(await openDatabase({ DATABASE_URL }));
  const tenant = await createTenant(db, { products: 12 });
  const service = cleanup.use(await startUnlimited({ DATABASE_URL, ...env }));
  const running = cleanup.move();
  return { client: service.client, db, server, service, tenant, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Starts the service without limits on the number of requests. */
export async function startUnlimited(env: ProcessEnv): Promise<ServiceProcess & { client: Client }> {
  const unlimited = { RATE_LIMIT: 'off' };
  const service = await startService({ LOG_LEVEL: 'silent', MAX_EVENT_LOOP_DELAY: '0', ...unlimited, ...env });
  return Object.assign(service, { client: new Client(service.url, contractOf(envToConfig(unlimited))) });
}
