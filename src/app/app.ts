import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { forgetExpiredKeys } from '../domain/partner/idempotency/idempotency-key.service.ts';
import { TokenUsage } from '../domain/partner/tokens/token-usage.ts';
import { hasCountries, ReferenceData } from '../domain/reference/reference-data.ts';
import type { Database } from '../domain/tables.ts';
import { repeat } from '../kernel/background.ts';
import type { SentStatement } from '../kernel/request/scope.ts';
import { connect } from '../platform/database/connect.ts';
import { ensureMigrated, migrateToLatest } from '../platform/database/migrate.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Health } from '../platform/http/health.ts';
import { createLoadShedder } from '../platform/http/overload.ts';
import { ResponseCache } from '../platform/http/response-cache.ts';
import { drain, listen } from '../platform/http/server.ts';
import { createLog } from '../platform/observability/log.ts';
import { serveManagement } from '../platform/observability/management.ts';
import { noteStatement } from '../platform/observability/observe.ts';
import { createSchema } from '../surfaces/graphql/schema.ts';
import { createGraphQLServer } from '../surfaces/graphql/server.ts';
import { rejectUnreadable } from '../surfaces/rest/problem.ts';
import type { Config } from './config.ts';
import { createHandler } from './handler.ts';
import { ownHealth } from './own-health.ts';
import { surfaceOf } from './surfaces.ts';

interface Overrides {
  log?: Logger;
  /** Publishes health and metrics; resolves to a function that ends that. By default on MANAGEMENT_PORT. */
  manage?: (managed: { health: Health; registry: Registry }) => Promise<() => Promise<void>>;
  /** Sees the text of every SQL statement. */
  onStatement?: (sql: string) => void;
}

export interface App {
  /** Connects, prepares the embedded database, listens; resolves to the base URL. Throws a StartError if it cannot. */
  start(): Promise<string>;
  /**
   * Says that it is not ready, finishes the requests in hand, then closes the database; called again, resolves when that
   * is done.
   */
  stop(): Promise<void>;
  /** The database of a started app. */
  db(): Database;
}

/** How often the use of tokens is written, and expired idempotency keys are deleted, in ms. */
const tokenUsageInterval = 60_000;
const expiredKeysInterval = 3_600_000;

/** How often the version of the reference data is compared, in ms: changes appear within a second. */
const referenceDataInterval = 500;

/** The whole service, wired from its configuration; nothing happens before `start`. */
export function createApp(
  config: Config,
  { log = createLog(config.logLevel), manage, onStatement }: Overrides = {},
): App {
  // Stopped in the reverse order, each whatever becomes of the others: the database's lock is never left behind.
  const started = new AsyncDisposableStack();
  let database: Database | undefined;
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    log.info('stopping');
    await started.disposeAsync();
    log.info('stopped');
  }

  return {
    async start() {
      // prom-client, OpenTelemetry and the client of Redis are loaded only where they are needed.
      const tracing =
        config.tracing && (await import('../platform/observability/tracing.ts')).startTracing(config.tracing, log);
      if (tracing !== undefined) started.defer(() => tracing.stop());
      const metrics =
        config.management && (await import('../platform/observability/metrics.ts')).createMetrics(surfaceOf);
      const observeStatement = (statement: SentStatement) => {
        noteStatement(statement);
        metrics?.countStatement(statement);
        onStatement?.(statement.sql);
      };
      const { db, pool, close } = await connect(config, log, { onStatement: observeStatement });
      started.defer(close);
      database = db;
      await prepareDatabase(config, db);

      const referenceData = new ReferenceData(db);
      await referenceData.refresh();
      const referenceJob = repeat('reference data', referenceDataInterval, () => referenceData.refresh(), log);
      started.defer(() => referenceJob.stop());

      const tokenUsage = new TokenUsage();
      const usageJob = repeat('token usage', tokenUsageInterval, () => tokenUsage.flush(db), log);
      started.defer(async () => {
        void usageJob.run();
        await usageJob.stop();
      });
      const expiredKeysJob = repeat('expired idempotency keys', expiredKeysInterval, () => forgetExpiredKeys(db), log);
      started.defer(() => expiredKeysJob.stop());
      void expiredKeysJob.run();

      const sharedStore =
        config.redisUrl === undefined
          ? undefined
          : new (await import('../platform/redis/shared-store.ts')).SharedStore(config.redisUrl, log);
      started.defer(async () => sharedStore?.close());
      await sharedStore?.open();

      // The library of Apollo Federation is loaded only where it is needed.
      const { schema, typeDefs } = config.federation
        ? (await import('../surfaces/graphql/subgraph.ts')).createSubgraph(config.referenceAccess)
        : createSchema(config.referenceAccess);
      const graphql = createGraphQLServer(schema, config, log, sharedStore);
      await graphql.start();
      started.defer(() => graphql.stop());

      const shedder = createLoadShedder(config.maxEventLoopDelay, log);
      started.defer(() => shedder.stop());

      let isListening = false;
      const health = ownHealth(db, () => isListening && stopped === undefined, log);
      // Logs what is missing.
      await health.isReady();
      const responses = new ResponseCache(() => referenceData.current);
      if (config.management !== undefined && metrics !== undefined) {
        metrics.read({ cache: () => responses.statistics, pool, referenceData: () => referenceData.state });
        const { registry } = metrics;
        const { management } = config;
        const stopManaging = await (manage ?? ((managed) => serveManagement(management, managed, log)))({
          health,
          registry,
        });
        started.defer(stopManaging);
      }

      const handler = createHandler({
        responses,
        config,
        createLimiter: sharedStore?.createLimiter,
        db,
        graphql,
        isDraining: () => stopped !== undefined,
        log,
        metrics,
        health,
        referenceData,
        shedder,
        tokenUsage,
        tracing,
        typeDefs,
      });
      const { server, url } = await listen(handler, config, rejectUnreadable(log, config.errorDocsUrl));
      started.defer(() => drain(server));
      // A balancer reads /readyz meanwhile, and looks elsewhere before connections are refused.
      started.defer(() => setTimeout(config.shutdownDelay));
      isListening = true;
      return url;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
    db() {
      if (database === undefined) throw new Error('the app is not started');
      return database;
    },
  };
}

// The embedded database is ours to prepare; a PostgreSQL is its operator's.
async function prepareDatabase({ databaseUrl }: Config, db: Database): Promise<void> {
  if (databaseUrl !== undefined) return ensureMigrated(db);
  // Their data is large, and in a PostgreSQL already.
  const { seedReferenceData } = await import('../domain/reference/seed/reference.ts');
  const { seedDemo } = await import('../domain/reference/seed/demo.ts');
  await migrateToLatest(db);
  // What its user changed or deleted since the first start stays so.
  if (await hasCountries(db)) return;
  await inTransaction(db, async (transaction) => {
    await seedReferenceData(transaction);
    await seedDemo(transaction);
  });
}
