import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

/** How long after a lost connection the next is tried, in ms: twice as long each time, up to the largest. */
const firstPause = 100;
const longestPause = 5_000;

/** How long a stop waits for the connection to end, in ms. */
const farewellTime = 1_000;

/** How long after its announcement something must have been heard, in ms. */
const announcementTime = 2_000;

const deafness =
  'changes of reference data are not announced here, and seen late: DATABASE_LISTEN_URL must name the database of ' +
  'DATABASE_URL, past a pooler in transaction mode';

interface ListenerOptions {
  connectionString: string;
  channel: string;
  onNotify: () => void;
  /** Announces something on a channel, on another connection. */
  announce: (channel: string) => Promise<unknown>;
  log: Logger;
}

export interface Listener {
  /** Whether it would hear an announcement now. */
  connected(): boolean;
  stop(): Promise<void>;
}

/**
 * Listens to a channel of PostgreSQL's NOTIFY on a connection of its own, made again whenever it is lost. `onNotify` is also
 * called after each connect: what was announced before is not told again. It then announces something itself, as only what is
 * heard shows that it listens: to another database, or through a pooler in transaction mode, it connects all the same.
 */
export function listen({ connectionString, channel, onNotify, announce, log }: ListenerOptions): Listener {
  const stopping = new AbortController();
  let connected = false;

  async function run(): Promise<void> {
    for (let pause = firstPause; !stopping.signal.aborted; pause = Math.min(2 * pause, longestPause)) {
      try {
        await listenOnce(() => {
          pause = firstPause;
        });
      } catch (error) {
        log.debug({ err: error }, 'not listening');
      }
      await setTimeout(pause, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection has ended. */
  async function listenOnce(onListening: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: 'partner-gateway listener',
    });
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
    const end = () => void client.end().catch(() => {});
    stopping.signal.addEventListener('abort', end, { once: true });
    let deaf: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      client.on('notification', () => {
        connected = true;
        clearTimeout(deaf);
        onNotify();
      });
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      onListening();
      onNotify();
      await announce(channel);
      if (!connected) deaf = globalThis.setTimeout(() => log.warn(deafness), announcementTime).unref();
      await ended;
    } finally {
      connected = false;
      clearTimeout(deaf);
      stopping.signal.removeEventListener('abort', end);
      end();
    }
  }

  const running = run();
  return {
    connected: () => connected,
    async stop(): Promise<void> {
      stopping.abort();
      // A server that is frozen does not answer a farewell.
      await Promise.race([running, setTimeout(farewellTime, undefined, { ref: false })]);
    },
  };
}
