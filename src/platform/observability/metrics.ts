import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../kernel/package.ts';
import type { SentStatement } from '../../kernel/request/scope.ts';
import { findSurface } from '../../kernel/request/surface-path.ts';
import { methods } from '../http/routes.ts';
import type { Exchange } from './access-log.ts';
import { describeStatement } from './statement-summary.ts';

/** In seconds, from a cached response to a timeout. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const namedMethods = new Set<string>([...methods, 'OPTIONS']);

const requestLabels = ['api', 'route', 'method', 'status'];

export interface Readings {
  cache(): { hits: number; misses: number; responses: number; bytes: number };
  concurrencyLimits: { waiting: number };
  expiringTokens(): number;
  pool: { state: { inUse: number; idle: number; waiting: number; waitingForShare: number } } | undefined;
  referenceData(): { version: number | undefined; age: number };
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const gauge = (name: string, help: string, read: () => number) => {
    const collect = () => void metric.set(read());
    const metric = new Gauge({ name, help, registers, collect });
  };

  collectDefaultMetrics({ register: registry });
  const durations = histogram(
    'http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response, in seconds.',
    requestLabels,
  );
  const requestCounts = counter(
    'http_requests_total',
    'Requests with a response, or whose client left before it.',
    requestLabels,
  );
  const waits = counter(
    'http_request_wait_seconds_total',
    'Time that requests waited for other requests, in seconds; part of their duration.',
  );
  const abortedRequests = counter(
    'http_requests_aborted_total',
    'Requests whose client left before the response ended.',
  );
  const refusedConnections = counter(
    'http_connections_refused_total',
    'Connections rejected because too many were open.',
  );
  const errors = counter('request_errors_total', 'Requests by the code of their first error.', ['api', 'code']);
  const idempotencyReplays = counter('idempotency_replays_total', 'Writes that returned an earlier response.');
  const statements = histogram(
    'database_statement_duration_seconds',
    'Time from sending a SQL statement to its result, in seconds.',
    ['operation', 'table'],
  );
  const failures = counter('database_statement_failures_total', 'SQL statements that failed.');
  const boundSeries = new Map<string, { duration: Histogram.Internal<string>; count: Counter.Internal }>();

  return {
    registry,
    count({ scope: { endpoint, waitMs, writes }, method, url, status, code, ms, aborted }: Exchange): void {
      const api = endpoint?.surface ?? findSurface({ url });
      const route = endpoint?.route ?? 'none';
      const methodLabel = namedMethods.has(method) ? method : 'other';
      const statusClass = Math.floor(status / 100);
      const key = `${statusClass} ${methodLabel} ${api} ${route}`;
      const labels = { api, route, method: methodLabel, status: `${statusClass}xx` };
      const series = boundSeries.get(key) ?? {
        duration: durations.labels(labels),
        count: requestCounts.labels(labels),
      };
      boundSeries.set(key, series);
      series.duration.observe(ms / 1_000);
      series.count.inc();
      waits.inc(waitMs / 1_000);
      if (code !== undefined) errors.inc({ api, code });
      idempotencyReplays.inc(writes.filter(({ replayed }) => replayed).length);
      if (aborted) abortedRequests.inc();
    },
    countRejectedConnection(): void {
      refusedConnections.inc();
    },
    countStatement({ sql, duration, error }: SentStatement): void {
      statements.observe(describeStatement(sql), duration / 1_000);
      if (error !== undefined) failures.inc();
    },
    addReadings({ cache, concurrencyLimits, expiringTokens, pool, referenceData: data }: Readings): void {
      gauge('response_cache_responses', 'Cached responses.', () => cache().responses);
      gauge('response_cache_bytes', 'Size of the cached responses and their keys, in bytes.', () => cache().bytes);
      gauge('database_pool_waiting', 'Queries that wait for a connection.', () => pool?.state.waiting ?? 0);
      gauge(
        'partner_tokens_expiring',
        'Tokens that expire within 14 days, of partners without a longer-lived one.',
        expiringTokens,
      );
      gauge('reference_data_version', 'Version of the reference data in use.', () => data().version ?? 0);
      gauge('reference_data_age_seconds', 'Seconds since the version was last checked.', () => data().age / 1_000);
      new Gauge({
        name: 'database_pool_connections',
        help: 'Connections to PostgreSQL by state; none with the embedded database.',
        labelNames: ['state'],
        registers,
        collect() {
          if (pool === undefined) return;
          this.set({ state: 'in_use' }, pool.state.inUse);
          this.set({ state: 'idle' }, pool.state.idle);
        },
      });
      new Gauge({
        name: 'partner_queue_waiting',
        help: 'Requests waiting for other requests, and queries waiting for a connection of their share, by queue.',
        labelNames: ['queue'],
        registers,
        collect() {
          this.set({ queue: 'operations' }, concurrencyLimits.waiting);
          this.set({ queue: 'queries' }, pool?.state.waitingForShare ?? 0);
        },
      });
      new Counter({
        name: 'response_cache_requests_total',
        help: 'Cacheable responses by cache result.',
        labelNames: ['result'],
        registers,
        collect() {
          const { hits, misses } = cache();
          this.reset();
          this.inc({ result: 'hit' }, hits);
          this.inc({ result: 'miss' }, misses);
        },
      });
      new Gauge({
        name: 'partner_gateway_build_info',
        help: 'Always 1; the labels are the versions of the service, of Node, and of its time zone rules.',
        labelNames: ['version', 'node_version', 'tz_version'],
        registers,
      }).set({ version, node_version: process.version, tz_version: process.versions.tz ?? '' }, 1);
    },
  };
}
