import type { Logger } from 'pino';
import { deleteExpiredKeys } from '../domain/partner/idempotency/idempotency-keys.ts';
import { CallerCache, countExpiringTokens, TokenUsage } from '../domain/partner/tokens/tokens.ts';
import { hasCountries } from '../domain/reference/queries.ts';
import { ReferenceData } from '../domain/reference/reference-data.ts';
import type { Database, Tables } from '../domain/tables.ts';
import { startJob } from '../kernel/background-job.ts';
import { ConcurrencyLimits } from '../platform/admission/admission.ts';
import { ResponseCache } from '../platform/cache/response-cache.ts';
import { connect } from '../platform/database/connect.ts';
import { ensureMigrated, listUnknownMigrations, migrateToLatest } from '../platform/database/migrate.ts';
import { recordStatement } from '../platform/observability/observe.ts';
import { createGraphQLServer } from '../surfaces/graphql/apollo-server.ts';
import { createSchema } from '../surfaces/graphql/schema.ts';
import type { Config } from './config.ts';

const tokenUsageIntervalMs = 60_000;
const expiringTokensIntervalMs = 60_000;
const expiredKeysIntervalMs = 3_600_000;

/** Changes of reference data appear within a second. */
const referenceDataIntervalMs = 500;

export type Resources = Awaited<ReturnType<typeof startResources>>;

export async function startResources(
  config: Config,
  log: Logger,
  disposables: AsyncDisposableStack,
  onStatement?: (sql: string) => void,
) {
  const schedule = (interval: number, name: string, work: () => Promise<void>) => {
    const job = startJob(name, interval, work, log);
    disposables.defer(() => job.stop());
    return job;
  };
  // prom-client, OpenTelemetry and the Redis client are loaded only when configured.
  const tracing =
    config.tracing && (await import('../platform/observability/tracing.ts')).startTracing(config.tracing, log);
  disposables.defer(async () => tracing?.stop());
  const metrics = config.management && (await import('../platform/observability/metrics.ts')).createMetrics();
  const { db, pool, close } = await connect<Tables>(config, log, {
    onStatement(statement) {
      recordStatement(statement);
      metrics?.countStatement(statement);
      onStatement?.(statement.sql);
    },
  });
  disposables.defer(close);
  await prepareDatabase(config, db);
  const migrations = await listUnknownMigrations(db);
  if (migrations.length > 0) log.warn({ migrations }, 'the database is newer than this version');

  const referenceData = new ReferenceData(db, log);
  await referenceData.refresh();
  schedule(referenceDataIntervalMs, 'reference data', () => referenceData.refresh());
  const tokenUsage = new TokenUsage();
  const usageJob = schedule(tokenUsageIntervalMs, 'token usage', () => tokenUsage.flush(db));
  // Disposed before the job, so that `stop` waits briefly for this last run.
  disposables.defer(() => void usageJob.run());
  void schedule(expiredKeysIntervalMs, 'expired idempotency keys', () => deleteExpiredKeys(db)).run();

  let expiringTokens = 0;
  if (metrics !== undefined) {
    const countTokens = async () => {
      expiringTokens = await countExpiringTokens(db);
    };
    void schedule(expiringTokensIntervalMs, 'expiring tokens', countTokens).run();
  }

  const sharedLimits = config.redisUrl
    ? await (await import('../platform/rate-limit/shared-limits.ts')).openSharedLimits(config.redisUrl, log)
    : undefined;
  disposables.defer(async () => sharedLimits?.close());

  const { schema, typeDefs } = createSchema(config.referenceAccess);
  const graphql = createGraphQLServer(schema, config, log);
  await graphql.start();
  disposables.defer(() => graphql.stop());

  const responses = new ResponseCache(() => referenceData.current);
  const concurrencyLimits = new ConcurrencyLimits();
  metrics?.addReadings({
    cache: () => responses.statistics,
    concurrencyLimits,
    expiringTokens: () => expiringTokens,
    pool,
    referenceData: () => referenceData.state,
  });
  return {
    callers: new CallerCache(db),
    concurrencyLimits,
    db,
    graphql,
    metrics,
    referenceData,
    responses,
    schema,
    sharedLimits,
    tokenUsage,
    tracing,
    typeDefs,
  };
}

// Operators migrate and seed PostgreSQL themselves.
async function prepareDatabase({ databaseUrl, demo }: Config, db: Database): Promise<void> {
  if (databaseUrl !== undefined) return ensureMigrated(db);
  // Loaded on demand, because the seed data is large.
  const { seed } = await import('../domain/reference/seed/seed.ts');
  await migrateToLatest(db);
  // Later starts keep the changes and deletions of the user.
  if (!(await hasCountries(db))) await seed(db, { demo });
}
