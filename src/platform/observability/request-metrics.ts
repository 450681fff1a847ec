import type { Surface } from '../../kernel/request/scope.ts';
import type { Exchange } from './access-log.ts';
import { DurationHistogram, type Series } from './duration-histogram.ts';

/** Other methods are counted together. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']);

/** What a request without an endpoint is counted as: it was refused before, or there is none. */
const noRoute = 'none';

type SeriesByStatusClass = (Series | undefined)[];

/** Counts requests: each ends in one series, which is found by names and numbers that are there already. */
export class RequestMetrics {
  readonly durations = new DurationHistogram(
    'http_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer, in seconds.',
  );
  /** By surface and code. */
  readonly errors = new Map<string, { labels: { surface: Surface; code: string }; count: number }>();
  replays = 0;
  aborted = 0;
  readonly #surfaceOf: (url: string) => Surface;
  readonly #known = new Map<string, Map<string, SeriesByStatusClass>>();

  /** `surfaceOf` tells whose a request is that was not routed. */
  constructor(surfaceOf: (url: string) => Surface) {
    this.#surfaceOf = surfaceOf;
  }

  count({ scope, method, url, status, ms, aborted }: Exchange): void {
    const { endpoint, code, replays } = scope;
    const statusClass = Math.floor(status / 100);
    if (endpoint === undefined) {
      this.#seriesOf(this.#surfaceOf(url), noRoute, method, statusClass).observe(ms);
    } else {
      const byStatus = this.#known.get(endpoint.route)?.get(method);
      const series = byStatus?.[statusClass] ?? this.#add(endpoint.surface, endpoint.route, method, statusClass);
      series.observe(ms);
    }
    if (code !== undefined) this.#countError(endpoint?.surface ?? this.#surfaceOf(url), code);
    if (replays > 0) this.replays += replays;
    if (aborted) this.aborted += 1;
  }

  #add(surface: Surface, route: string, method: string, statusClass: number): Series {
    const series = this.#seriesOf(surface, route, method, statusClass);
    const byMethod = this.#known.get(route) ?? new Map<string, SeriesByStatusClass>();
    const byStatus = byMethod.get(method) ?? [];
    byStatus[statusClass] = series;
    this.#known.set(route, byMethod.set(method, byStatus));
    return series;
  }

  #seriesOf(surface: Surface, route: string, method: string, statusClass: number): Series {
    return this.durations.of({
      surface,
      route,
      method: methods.has(method) ? method : 'other',
      status: `${statusClass}xx`,
    });
  }

  #countError(surface: Surface, code: string): void {
    const key = `${surface} ${code}`;
    const known = this.errors.get(key);
    if (known === undefined) this.errors.set(key, { labels: { surface, code }, count: 1 });
    else known.count += 1;
  }
}
