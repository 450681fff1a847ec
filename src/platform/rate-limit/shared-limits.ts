import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { repeat } from '../../kernel/background.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { MemoryLimiter } from './memory-limiter.ts';
import type { CreateLimiter } from './rate-limit.ts';

/** How long a request waits for Redis, in ms; it usually responds within one. */
const responseTimeout = 100;
const timeoutMessage = 'Redis did not respond in time';

/** Interval between checks of Redis, and how long a check waits for a connection, in ms. */
const checkInterval = 1_000;
const connectTimeout = 500;

type Script = Parameters<ReturnType<typeof createSharedClient>['eval']>;

/**
 * Connects to the Redis in which all replicas count requests. While it is unavailable, slow, full or read-only, each
 * process counts on its own. Only the request that discovers this waits, for 0.1 s.
 */
export async function openSharedLimits(url: string, log: Logger) {
  // The next command discovers a lost connection.
  const client = createSharedClient(url).on('error', () => {});
  let isAvailable = true;

  function setAvailable(available: boolean, error?: unknown): void {
    if (available === isAvailable) return;
    isAvailable = available;
    if (available) log.info('Redis available; rate limits are shared');
    else log.warn({ err: error }, 'Redis unavailable; falling back to per-process rate limits');
  }

  // Checks with the limiters' own script, which fails on a full Redis, on a replica and without the permission. A failure
  // closes the connection, which may be stale or lead to a former primary; the next check opens another one.
  const probe = new RateLimiterRedis({
    storeClient: { eval: (...script: Script) => client.eval(...script) },
    useRedisPackage: true,
    keyPrefix: 'check',
    points: 1,
    duration: 60,
  });

  async function check(): Promise<void> {
    try {
      if (!client.isOpen) await withTimeout(connectTimeout, client.connect(), timeoutMessage);
      await withTimeout(responseTimeout, probe.penalty('check'), timeoutMessage);
      setAvailable(true);
    } catch (error) {
      client.destroy();
      setAvailable(false, error);
    }
  }

  /** Runs a script. Throws if Redis is unavailable or does not respond in time. */
  async function evaluate(...script: Script) {
    if (!isAvailable) throw new Error('Redis is unavailable');
    try {
      return await withTimeout(responseTimeout, client.eval(...script), timeoutMessage);
    } catch (error) {
      // An error reply to one command says nothing about the next; the next check tells.
      if (!(error instanceof ErrorReply)) setAvailable(false, error);
      throw error;
    }
  }

  await check();
  const job = repeat('Redis', checkInterval, check, log);

  const createLimiter: CreateLimiter = (options) =>
    new RateLimiterRedis({
      // The only method that the limiter calls.
      storeClient: { eval: evaluate },
      useRedisPackage: true,
      ...options,
      insuranceLimiter: new MemoryLimiter(options),
    });

  return {
    createLimiter,
    async close(): Promise<void> {
      await job.stop();
      client.destroy();
    },
  };
}

function createSharedClient(url: string) {
  return createClient({
    url,
    // Other applications may use the same Redis.
    keyPrefix: 'partner-gateway:',
    name: 'partner-gateway',
    // Commands that cannot be sent now fail instead of waiting.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    socket: { connectTimeout, reconnectStrategy: false },
  });
}
