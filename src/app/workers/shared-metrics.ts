import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { within } from '../../kernel/patience.ts';
import type { Metrics } from './rpc.ts';
import type { WorkerProcess } from './worker-process.ts';

/** How long a worker may take to answer, in ms: of one that does not, its last values count. */
const patience = 1_000;

/**
 * The metrics of all workers as one, with the memory and processor time of the primary. What ended workers have counted stays
 * in it: a sum that fell would look as if all of it had been counted anew.
 */
export class SharedMetrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #own = new Registry();
  readonly #answering: Gauge;
  readonly #workers: () => WorkerProcess[];
  readonly #last = new Map<WorkerProcess, Metrics>();
  #ended: Metrics = [];

  constructor(workers: () => WorkerProcess[], restarts: () => number) {
    this.#workers = workers;
    const registers = [this.#own];
    collectDefaultMetrics({ register: this.#own });
    this.#answering = new Gauge({ name: 'partner_gateway_workers', help: 'Workers that answer.', registers });
    new Counter({
      name: 'partner_gateway_worker_restarts_total',
      help: 'Workers that were started in the place of one that had ended.',
      registers,
      collect() {
        this.reset();
        this.inc(restarts());
      },
    });
  }

  async metrics(): Promise<string> {
    const asked = await Promise.allSettled(
      this.#workers().map(async (worker) => {
        this.#last.set(worker, await within(patience, worker.rpc.metrics(), 'the worker did not answer in time'));
      }),
    );
    this.#answering.set(asked.filter(({ status }) => status === 'fulfilled').length);
    const own = (await this.#own.getMetricsAsJSON()).filter(({ name }) => !name.startsWith('nodejs_'));
    return AggregatorRegistry.aggregate([...this.#last.values(), this.#ended, own]).metrics();
  }

  /** Keeps what a worker had counted when it was last asked. */
  async keep(worker: WorkerProcess): Promise<void> {
    const counted = this.#last.get(worker)?.filter(({ type }) => String(type) !== 'gauge') ?? [];
    this.#last.delete(worker);
    this.#ended = await AggregatorRegistry.aggregate([this.#ended, counted]).getMetricsAsJSON();
  }
}
