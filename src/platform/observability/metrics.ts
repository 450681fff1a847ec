import type { Aggregator, Metric, Registry } from 'prom-client';
import type { ReferenceData } from '../../domain/reference/reference-data.ts';
import { version } from '../../kernel/package.ts';
import type { Listener } from '../database/listener.ts';
import type { PoolState } from '../database/postgres.ts';
import type { ResponseCache } from '../http/response-cache.ts';
import type { RequestMetrics } from './request-metrics.ts';
import type { StatementMetrics } from './statement-metrics.ts';

/** Whatever counts, or knows what can be counted, and is looked at when somebody asks. */
export interface Observed {
  requests: RequestMetrics;
  statements: StatementMetrics;
  responses: ResponseCache;
  pool: PoolState | undefined;
  referenceData: ReferenceData;
  listener: Listener;
}

interface Value {
  labels?: Record<string, string>;
  value: number;
}

interface Definition {
  type: 'counter' | 'gauge';
  name: string;
  help: string;
  labelNames?: string[];
  /** What the values of several workers are as one; their sum unless it is said. */
  aggregator?: Aggregator;
  read(): Value[];
}

/** Every metric of the service, Node's and the process's own included. */
export async function createRegistry(observed: Observed): Promise<Registry> {
  // Loaded only where metrics are served.
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // The registry asks no more of a metric than these have.
  for (const { durations } of [observed.requests, observed.statements]) {
    registry.registerMetric(durations as unknown as Metric);
  }
  for (const { type, name, help, labelNames = [], aggregator = 'sum', read } of definitions(observed)) {
    const options = { name, help, labelNames, registers, aggregator, collect: () => update() };
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options);
    // Only now: nobody asks between two scrapes.
    const update = () => {
      metric.reset();
      for (const { labels = {}, value } of read()) metric.inc(labels, value);
    };
  }
  return registry;
}

function definitions(observed: Observed): Definition[] {
  const { requests, statements, responses, pool, referenceData, listener } = observed;
  return [
    {
      type: 'gauge',
      name: 'partner_gateway_build_info',
      help: 'Always 1; the labels say which version runs on which Node.',
      aggregator: 'first',
      labelNames: ['version', 'node_version'],
      read: () => [{ labels: { version, node_version: process.version }, value: 1 }],
    },
    {
      type: 'counter',
      name: 'http_requests_total',
      help: 'Requests that were answered, or given up by their client.',
      labelNames: ['surface', 'route', 'method', 'status'],
      read: () => [...requests.durations.series()].map(({ labels, count }) => ({ labels, value: count })),
    },
    {
      type: 'counter',
      name: 'http_requests_aborted_total',
      help: 'Requests that their client gave up before they were answered.',
      read: () => [{ value: requests.aborted }],
    },
    {
      type: 'counter',
      name: 'request_errors_total',
      help: 'Requests that were refused or failed, by the code of their first error (rate_limited, overloaded, ...).',
      labelNames: ['surface', 'code'],
      read: () => [...requests.errors.values()].map(({ labels, count }) => ({ labels, value: count })),
    },
    {
      type: 'counter',
      name: 'idempotency_replays_total',
      help: 'Writes answered with the answer of an earlier request with the same idempotency key.',
      read: () => [{ value: requests.replays }],
    },
    {
      type: 'counter',
      name: 'response_cache_requests_total',
      help: 'Public responses: hit came from the cache, miss was made.',
      labelNames: ['result'],
      read: () => [
        { labels: { result: 'hit' }, value: responses.statistics.hits },
        { labels: { result: 'miss' }, value: responses.statistics.misses },
      ],
    },
    {
      type: 'gauge',
      name: 'response_cache_responses',
      help: 'Cached responses.',
      read: () => [{ value: responses.statistics.responses }],
    },
    {
      type: 'gauge',
      name: 'response_cache_bytes',
      help: 'Size of the cached responses, keys and compressed encodings included, in bytes.',
      read: () => [{ value: responses.statistics.bytes }],
    },
    {
      type: 'gauge',
      name: 'database_pool_connections',
      help: 'Connections to PostgreSQL by state; none with the embedded database.',
      labelNames: ['state'],
      read: () =>
        pool === undefined
          ? []
          : [
              { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
              { labels: { state: 'idle' }, value: pool.idleCount },
            ],
    },
    {
      type: 'gauge',
      name: 'database_pool_waiting',
      help: 'Batches of reads, and transactions, that wait for a connection to PostgreSQL.',
      read: () => (pool === undefined ? [] : [{ value: pool.waitingCount }]),
    },
    {
      type: 'counter',
      name: 'database_statement_failures_total',
      help: 'SQL statements that failed.',
      read: () => [{ value: statements.failures }],
    },
    {
      type: 'gauge',
      name: 'database_listener_connected',
      help: '1 while changes of reference data are announced to the process; 0 while it only looks for them every 4 s.',
      aggregator: 'min',
      read: () => [{ value: listener.connected() ? 1 : 0 }],
    },
    {
      type: 'gauge',
      name: 'reference_data_version',
      help: 'Version of the reference data that is served.',
      aggregator: 'min',
      read: () => [{ value: referenceData.state.version ?? 0 }],
    },
    {
      type: 'gauge',
      name: 'reference_data_age_seconds',
      help: 'Time since the version of the reference data was last compared with the database, in seconds.',
      aggregator: 'max',
      read: () => [{ value: referenceData.state.age / 1_000 }],
    },
  ];
}
