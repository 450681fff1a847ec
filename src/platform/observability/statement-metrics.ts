import { LRUCache } from 'lru-cache';
import type { SentStatement } from '../../kernel/request/scope.ts';
import { DurationHistogram, type Series } from './duration-histogram.ts';
import { describeStatement } from './statement-summary.ts';

/** More texts than the service has: those of imports vary. */
const maxTexts = 500;

/** Counts SQL statements by what they do to which table. */
export class StatementMetrics {
  readonly durations = new DurationHistogram(
    'database_statement_duration_seconds',
    'Time from asking a SQL statement to its answer, in seconds.',
  );
  failures = 0;
  readonly #known = new LRUCache<string, Series>({ max: maxTexts });

  count({ sql, duration, error }: SentStatement): void {
    let series = this.#known.get(sql);
    if (series === undefined) {
      const { operation, table } = describeStatement(sql);
      series = this.durations.of({ operation, table });
      this.#known.set(sql, series);
    }
    series.observe(duration);
    if (error !== undefined) this.failures += 1;
  }
}
