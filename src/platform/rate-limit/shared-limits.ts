import { createClient, ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { startJob } from '../../kernel/background-job.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import { type CreateLimiter, MemoryLimiter } from './rate-limit.ts';

const responseTimeoutMs = 100;
const timeoutMessage = 'Redis did not respond in time';

const checkIntervalMs = 1_000;
const connectTimeoutMs = 500;

type Script = Parameters<ReturnType<typeof createSharedClient>['eval']>;

/** While Redis is unavailable, slow, full or read-only, each process counts on its own. Only the request that discovers this waits. */
export async function openSharedLimits(url: string, log: Logger) {
  const client = createSharedClient(url).on('error', () => {});
  let isAvailable = true;

  function setAvailable(available: boolean, error?: unknown): void {
    if (available === isAvailable) return;
    isAvailable = available;
    if (available) log.info('Redis available; rate limits are shared');
    else log.warn({ err: error }, 'Redis unavailable; falling back to per-process rate limits');
  }

  // The limiters' own script fails on a full Redis, on a replica and without the permission.
  const probe = new RateLimiterRedis({
    storeClient: { eval: (...script: Script) => client.eval(...script) },
    useRedisPackage: true,
    keyPrefix: 'check',
    points: 1,
    duration: 60,
  });

  async function check(): Promise<void> {
    try {
      if (!client.isOpen) await withTimeout(connectTimeoutMs, client.connect(), timeoutMessage);
      await withTimeout(responseTimeoutMs, probe.penalty('check'), timeoutMessage);
      setAvailable(true);
    } catch (error) {
      // The connection may be stale or lead to a former primary; the next check opens another one.
      client.destroy();
      setAvailable(false, error);
    }
  }

  async function evaluate(...script: Script) {
    if (!isAvailable) throw new Error('Redis is unavailable');
    try {
      return await withTimeout(responseTimeoutMs, client.eval(...script), timeoutMessage);
    } catch (error) {
      // An error reply says nothing about the next command; the next check decides.
      if (!(error instanceof ErrorReply)) setAvailable(false, error);
      throw error;
    }
  }

  await check();
  const job = startJob('Redis', checkIntervalMs, check, log);

  const createLimiter: CreateLimiter = (options) =>
    new RateLimiterRedis({
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
    // Other applications may share the Redis.
    keyPrefix: 'partner-gateway:',
    name: 'partner-gateway',
    // Commands that cannot be sent now fail instead of waiting.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  });
}
