/** Upper bounds of the buckets, in seconds: from an answer that was ready to one that the time-outs ended. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Most label sets of one histogram: beyond it, what is new is not counted. */
const maxSeries = 2_000;

/** What was measured under one set of labels. */
export class Series {
  readonly labels: Readonly<Record<string, string>>;
  /** For each bound what is above the one before it and not above this one; last, what is above all. */
  readonly buckets: number[] = new Array(bounds.length + 1).fill(0);
  count = 0;
  /** In ms. */
  sum = 0;

  constructor(labels: Record<string, string>) {
    this.labels = labels;
  }

  observe(ms: number): void {
    const seconds = ms / 1_000;
    let index = 0;
    while (index < bounds.length && seconds > (bounds[index] as number)) index += 1;
    this.buckets[index] = (this.buckets[index] as number) + 1;
    this.count += 1;
    this.sum += ms;
  }
}

/**
 * A histogram of durations for prom-client's registry, whose own hashes the labels of each observation: here whoever observes
 * keeps the series, and all that it does is count.
 */
export class DurationHistogram {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #series = new Map<string, Series>();
  readonly #uncounted = new Series({});

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  /** The series of a set of labels; the names always come in the same order. */
  of(labels: Record<string, string>): Series {
    const key = JSON.stringify(Object.values(labels));
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= maxSeries) return this.#uncounted;
    const series = new Series(labels);
    this.#series.set(key, series);
    return series;
  }

  series(): Iterable<Series> {
    return this.#series.values();
  }

  /** All values, as prom-client's registry asks for them. */
  async get() {
    const values = [...this.series()].flatMap((series) => this.#valuesOf(series));
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values };
  }

  #valuesOf({ labels, buckets, count, sum }: Series) {
    let total = 0;
    const cumulative = buckets.map((inBucket, index) => {
      total += inBucket;
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value: total };
    });
    return [
      ...cumulative,
      { metricName: `${this.name}_sum`, labels, value: sum / 1_000 },
      { metricName: `${this.name}_count`, labels, value: count },
    ];
  }
}
