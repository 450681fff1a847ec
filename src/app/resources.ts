import type { Logger } from 'pino';
import { forgetExpiredKeys } from '../domain/partner/idempotency/idempotency-keys.ts';
import { CallerCache } from '../domain/partner/tokens/caller-cache.ts';
import { countExpiringTokens, TokenUsage } from '../domain/partner/tokens/tokens.ts';
import { hasCountries } from '../domain/reference/queries.ts';
import { ReferenceData } from '../domain/reference/reference-data.ts';
import type { Database, Tables } from '../domain/tables.ts';
import { repeat } from '../kernel/background.ts';
import { Capacity } from '../platform/admission/admission.ts';
import { ResponseCache } from '../platform/cache/response-cache.ts';
import { connect } from '../platform/database/connect.ts';
import { ensureMigrated, listUnknownMigrations, migrateToLatest } from '../platform/database/migrate.ts';
import { recordStatement } from '../platform/observability/observe.ts';
import { createGraphQLServer } from '../surfaces/graphql/apollo-server.ts';
import { createSchema } from '../surfaces/graphql/schema.ts';
import type { Config } from './config.ts';

/** Intervals for writing token usage, for counting tokens that expire, and for deleting expired idempotency keys, in ms. */
const tokenUsageInterval = 60_000;
const expiringTokensInterval = 60_000;
const expiredKeysInterval = 3_600_000;

/** Interval for checking the version of the reference data, in ms: changes appear within a second. */
const referenceDataInterval = 500;

export type Resources = Awaited<ReturnType<typeof startResources>>;

/** Starts the services that requests need; disposing `started` stops them. `onStatement` receives every statement. */
export async function startResources(
  config: Config,
  log: Logger,
  started: AsyncDisposableStack,
  onStatement?: (sql: string) => void,
) {
  const every = (interval: number, name: string, work: () => Promise<void>) => {
    const job = repeat(name, interval, work, log);
    started.defer(() => job.stop());
    return job;
  };
  // prom-client, OpenTelemetry and the Redis client load only when configured.
  const tracing =
    config.tracing && (await import('../platform/observability/tracing.ts')).startTracing(config.tracing, log);
  started.defer(async () => tracing?.stop());
  const metrics = config.management && (await import('../platform/observability/metrics.ts')).createMetrics();
  const { db, pool, close } = await connect<Tables>(config, log, {
    onStatement(statement) {
      recordStatement(statement);
      metrics?.countStatement(statement);
      onStatement?.(statement.sql);
    },
  });
  started.defer(close);
  await prepareDatabase(config, db);
  const migrations = await listUnknownMigrations(db);
  if (migrations.length > 0) log.warn({ migrations }, 'the database is newer than this version');

  const referenceData = new ReferenceData(db, log);
  await referenceData.refresh();
  every(referenceDataInterval, 'reference data', () => referenceData.refresh());
  const tokenUsage = new TokenUsage();
  const usageJob = every(tokenUsageInterval, 'token usage', () => tokenUsage.flush(db));
  // Disposed before the job, whose `stop` then waits briefly for this last run.
  started.defer(() => void usageJob.run());
  void every(expiredKeysInterval, 'expired idempotency keys', () => forgetExpiredKeys(db)).run();

  let expiringTokens = 0;
  if (metrics !== undefined) {
    const countTokens = async () => {
      expiringTokens = await countExpiringTokens(db);
    };
    void every(expiringTokensInterval, 'expiring tokens', countTokens).run();
  }

  const sharedLimits = config.redisUrl
    ? await (await import('../platform/rate-limit/shared-limits.ts')).openSharedLimits(config.redisUrl, log)
    : undefined;
  started.defer(async () => sharedLimits?.close());

  const { schema, typeDefs } = createSchema(config.referenceAccess);
  const graphql = createGraphQLServer(schema, config, log);
  await graphql.start();
  started.defer(() => graphql.stop());

  const responses = new ResponseCache(() => referenceData.current);
  const capacity = new Capacity();
  metrics?.read({
    cache: () => responses.statistics,
    capacity,
    expiringTokens: () => expiringTokens,
    pool,
    referenceData: () => referenceData.state,
  });
  return {
    callers: new CallerCache(db),
    capacity,
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

// The service prepares the embedded database; operators prepare PostgreSQL.
async function prepareDatabase({ databaseUrl, demo }: Config, db: Database): Promise<void> {
  if (databaseUrl !== undefined) return ensureMigrated(db);
  // Loaded on demand, because the seed data is large.
  const { seed } = await import('../domain/reference/seed/seed.ts');
  await migrateToLatest(db);
  // Later starts keep the user's changes and deletions.
  if (!(await hasCountries(db))) await seed(db, { demo });
}
