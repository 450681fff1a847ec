import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../../kernel/package.ts';
import type { SentStatement, Surface } from '../../kernel/request/scope.ts';
import type { Exchange } from './access-log.ts';
import { describeStatement } from './statement-summary.ts';

/** Upper bounds in seconds, from a cached response to one that ended by a time-out. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Other methods are counted together. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']);

/** Values that other parts of the service know; read when metrics are served. */
export interface Readings {
  cache(): { hits: number; misses: number; responses: number; bytes: number };
  pool: { totalCount: number; idleCount: number; waitingCount: number } | undefined;
  referenceData(): { version: number | undefined; age: number };
}

/** Every metric of the service, those of Node and the process included. */
export class Metrics {
  readonly registry = new Registry();
  readonly #surfaceOf: (url: string) => Surface;
  readonly #requests = this.#histogram(
    'http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response, in seconds.',
    ['surface', 'route', 'method', 'status'],
  );
  readonly #statements = this.#histogram(
    'database_statement_duration_seconds',
    'Time from sending a SQL statement to its result, in seconds.',
    ['operation', 'table'],
  );
  readonly #aborted = this.#counter(
    'http_requests_aborted_total',
    'Requests whose client left before the response ended.',
  );
  readonly #errors = this.#counter('request_errors_total', 'Requests by the code of their first error.', [
    'surface',
    'code',
  ]);
  readonly #replays = this.#counter('idempotency_replays_total', 'Writes that returned an earlier response.');
  readonly #failures = this.#counter('database_statement_failures_total', 'SQL statements that failed.');
  /** Histograms with their labels bound, by a text that identifies the labels. */
  readonly #bound = new Map<string, Pick<Histogram.Internal<string>, 'observe'>>();

  /** `surfaceOf` tells the surface of a request that was not routed. */
  constructor(surfaceOf: (url: string) => Surface) {
    this.#surfaceOf = surfaceOf;
    collectDefaultMetrics({ register: this.registry });
    const requests = this.#requests;
    new Counter({
      name: 'http_requests_total',
      help: 'Requests with a response, or whose client left before it.',
      labelNames: ['surface', 'route', 'method', 'status'],
      registers: [this.registry],
      async collect() {
        this.reset();
        const { values } = await requests.get();
        for (const { metricName, labels, value } of values) if (metricName?.endsWith('_count')) this.inc(labels, value);
      },
    });
  }

  count({ scope, method, url, status, ms, aborted }: Exchange): void {
    const { endpoint, code, replays } = scope;
    const surface = endpoint?.surface ?? this.#surfaceOf(url);
    const route = endpoint?.route ?? 'none';
    const statusClass = Math.floor(status / 100);
    const key = `${statusClass} ${method} ${surface} ${route}`;
    let bound = this.#bound.get(key);
    if (bound === undefined) {
      const known = methods.has(method) ? method : 'other';
      bound = this.#requests.labels({ surface, route, method: known, status: `${statusClass}xx` });
      if (methods.has(method)) this.#bound.set(key, bound);
    }
    bound.observe(ms / 1_000);
    if (code !== undefined) this.#errors.inc({ surface, code });
    if (replays > 0) this.#replays.inc(replays);
    if (aborted) this.#aborted.inc();
  }

  countStatement({ sql, duration, error }: SentStatement): void {
    this.#statements.observe(describeStatement(sql), duration / 1_000);
    if (error !== undefined) this.#failures.inc();
  }

  /** Adds the values of other parts. With several workers, a metric is the sum of theirs unless it says otherwise. */
  read({ cache, pool, referenceData }: Readings): void {
    const gauge = (
      name: string,
      help: string,
      collect: (gauge: Gauge) => void,
      labelNames: string[] = [],
      aggregator: Aggregator = 'sum',
    ) =>
      new Gauge({
        name,
        help,
        labelNames,
        aggregator,
        registers: [this.registry],
        collect() {
          collect(this);
        },
      });
    new Counter({
      name: 'response_cache_requests_total',
      help: 'Public responses: hit came from the cache, miss was made.',
      labelNames: ['result'],
      registers: [this.registry],
      collect() {
        const { hits, misses } = cache();
        this.reset();
        this.inc({ result: 'hit' }, hits);
        this.inc({ result: 'miss' }, misses);
      },
    });
    gauge('response_cache_responses', 'Cached responses.', (each) => each.set(cache().responses));
    gauge(
      'response_cache_bytes',
      'Size of the cached responses, keys and compressed encodings included, in bytes.',
      (each) => each.set(cache().bytes),
    );
    gauge(
      'database_pool_connections',
      'Connections to PostgreSQL by state; none with the embedded database.',
      (each) => {
        if (pool === undefined) return;
        each.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
        each.set({ state: 'idle' }, pool.idleCount);
      },
      ['state'],
    );
    gauge('database_pool_waiting', 'Queries that wait for a connection to PostgreSQL.', (each) =>
      each.set(pool?.waitingCount ?? 0),
    );
    gauge(
      'reference_data_version',
      'Version of the reference data that is served.',
      (each) => each.set(referenceData().version ?? 0),
      [],
      'min',
    );
    gauge(
      'reference_data_age_seconds',
      'Time since the version of the reference data was last compared with the database, in seconds.',
      (each) => each.set(referenceData().age / 1_000),
      [],
      'max',
    );
    const labels = { version, node_version: process.version };
    gauge(
      'partner_gateway_build_info',
      'Always 1; the labels are the versions of the service and of Node.',
      (each) => each.set(labels, 1),
      ['version', 'node_version'],
      'first',
    );
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
