import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { deleteExpiredIdempotencyKeys } from './idempotency-key.queries.ts';

/** How often it runs, in ms, and how many rows a statement deletes. */
const interval = 3_600_000;
const batchSize = 1_000;

export interface CleanUp {
  /** Resolves when nothing of it uses the database any more. */
  stop(): Promise<void>;
}

/** Deletes expired keys, now and every hour until it is stopped. What fails is logged, and tried again the next time. */
export function startCleanUp(db: Database, log: Logger): CleanUp {
  let stopped = false;
  async function run(): Promise<void> {
    try {
      let deleted = batchSize;
      while (!stopped && deleted === batchSize) deleted = await deleteExpiredIdempotencyKeys(db, batchSize);
    } catch (error) {
      log.error({ err: error }, 'expired idempotency keys were not deleted');
    }
  }
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, interval);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
