import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Difference } from './differences.ts';
import type { Outcome } from './exchange.ts';
import type { RecordedRequest } from './recording.ts';
import type { Endpoint } from './route.ts';

/** Bounds of what is stored, however many requests there are. */
const maxRows = 300;
const maxKinds = 1_000;
const maxShown = 2_000;

/** Differences of one kind in the responses of one endpoint. */
export interface KindOfDifference extends Pick<Difference, 'kind' | 'path'>, Pick<Endpoint, 'route' | 'language'> {
  /** In how many requests. */
  count: number;
  /** The first of them. */
  example: Pick<RecordedRequest, 'method' | 'path' | 'body'> & Pick<Difference, 'old' | 'new'>;
}

const emptySummary = () => ({ sent: 0, same: 0, different: 0, failed: 0 });
// In µs, up to a quarter of an hour.
const createTimes = () => createHistogram({ lowest: 1, highest: 900_000_000, figures: 2 });
const createRow = (route: string, language: string) => ({
  route,
  language,
  ...emptySummary(),
  times: [createTimes(), createTimes()] as const,
});

/** The results so far. */
export class Tally {
  readonly summary = emptySummary();
  readonly #redact: (text: string) => string;
  readonly #rows = new Map<string, ReturnType<typeof createRow>>();
  readonly #kinds = new Map<string, KindOfDifference>();

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** The most frequent ones first. */
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

  add(request: RecordedRequest, { language, ...endpoint }: Endpoint, outcomes: Outcome[], found: Difference[]): void {
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
      if ('ms' in outcome) row.times[index]?.record(Math.max(1, Math.round(outcome.ms * 1_000)));
    for (const { kind, path, ...sides } of found) {
      const key = [kind, path, route, language, ...(kind === 'failed' ? [sides.old, sides.new] : [])].join(' ');
      const known = this.#kinds.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.#kinds.size < maxKinds)
        this.#kinds.set(key, {
          kind,
          route,
          language,
          ...(path && { path }),
          count: 1,
          example: this.#example(request, sides),
        });
    }
  }

  #example({ method, path, body }: RecordedRequest, sides: Pick<Difference, 'old' | 'new'>) {
    return {
      method,
      path: this.#redact(path),
      body: body && String(shorten(this.#redact(body))),
      old: shorten(sides.old),
      new: shorten(sides.new),
    };
  }
}

/** A value, or the beginning of its text. */
function shorten(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : value;
}

function percentile(times: RecordableHistogram, share: number): number | string {
  return times.count === 0 ? '' : Math.round(times.percentile(share) / 100) / 10;
}
