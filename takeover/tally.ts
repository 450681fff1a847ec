import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Difference } from './differences.ts';
import { toEndpoint } from './endpoint.ts';
import type { Outcome } from './exchange.ts';
import type { RecordedRequest } from './recording.ts';

/** Bounds on memory for any number of requests. */
const maxRows = 300;
const maxKinds = 1_000;
const maxShown = 2_000;
const maxPlaces = 20;

/** Differences of one kind in the responses of one endpoint. */
export interface KindOfDifference extends Pick<Difference, 'kind' | 'path'> {
  route: string;
  language: string;
  /** Number of requests. */
  count: number;
  /** The first request. */
  example: Pick<RecordedRequest, 'method' | 'path' | 'body'> & Pick<Difference, 'old' | 'new'>;
}

const emptySummary = () => ({ sent: 0, same: 0, different: 0, failed: 0 });
// In µs, up to a quarter of an hour.
const createTimes = () => createHistogram({ highest: 900_000_000, figures: 2 });
const createRow = (route: string, language: string) => ({
  ...{ route, language, ...emptySummary() },
  times: [createTimes(), createTimes()] as const,
});

/** The results so far. `redact` removes tokens from them. */
export class Tally {
  readonly summary = emptySummary();
  /** Writes, and lines that are not HTTP requests. */
  skipped = 0;
  /** Lines of an access log that may lack their query string. */
  withoutQuery = 0;
  /** Whether any request had a query string. */
  hasQuery = false;
  unreadable = 0;
  /** The first unreadable lines or entries. */
  readonly unreadablePlaces: string[] = [];
  readonly #redact: (text: string) => string;
  readonly #rows = new Map<string, ReturnType<typeof createRow>>();
  readonly #kinds = new Map<string, KindOfDifference>();

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Most frequent first. */
  get differences(): KindOfDifference[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count);
  }

  /** A row for each route and language. */
  get rows() {
    return [...this.#rows.values()].map(({ times: [old, other], ...row }) => ({
      ...row,
      old_p50_ms: percentile(old, 50),
      old_p95_ms: percentile(old, 95),
      new_p50_ms: percentile(other, 50),
      new_p95_ms: percentile(other, 95),
    }));
  }

  addUnreadable(place: string): void {
    this.unreadable += 1;
    if (this.unreadable <= maxPlaces) this.unreadablePlaces.push(place);
    else if (this.unreadable === maxPlaces + 1) this.unreadablePlaces.push('…');
  }

  add(request: RecordedRequest, outcomes: Outcome[], found: Difference[]): void {
    this.hasQuery ||= request.path.includes('?');
    const { language, ...endpoint } = toEndpoint(request);
    const named = this.#redact(endpoint.route);
    const isListed = this.#rows.has(`${named} ${language}`) || this.#rows.size < maxRows;
    const route = isListed ? named : 'other routes';
    const row = this.#rows.get(`${route} ${language}`) ?? createRow(route, language);
    this.#rows.set(`${route} ${language}`, row);
    const result = found[0]?.kind === 'failed' ? 'failed' : found.length > 0 ? 'different' : 'same';
    for (const counts of [this.summary, row]) {
      counts.sent += 1;
      counts[result] += 1;
    }
    for (const [index, outcome] of outcomes.entries())
      if ('ms' in outcome) row.times[index]?.record(Math.ceil(outcome.ms * 1_000));
    for (const { kind, path, ...sides } of found) {
      const key = [kind, path, route, language].join(' ');
      const known = this.#kinds.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.#kinds.size < maxKinds) {
        const { headers: _, ...shown } = request;
        this.#kinds.set(key, {
          ...this.#shown({ kind, path }),
          ...{ route, language, count: 1 },
          example: this.#shown({ ...shown, ...sides }),
        });
      }
    }
  }

  // Redact before shortening, because a shortened token would not be found.
  #shown<Values extends object>(values: Values): Values {
    const redacted: Values = JSON.parse(this.#redact(JSON.stringify(values)));
    return Object.fromEntries(Object.entries(redacted).map(([name, value]) => [name, shorten(value)])) as Values;
  }
}

/** A value, or the beginning of its text. */
function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : value;
}

function percentile(times: RecordableHistogram, share: number): number | string {
  return times.count === 0 ? '' : Math.round(times.percentile(share) / 100) / 10;
}
