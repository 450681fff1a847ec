import { createClient } from '@redis/client';
import { freePort } from './free-port.ts';
import { Program } from './programs.ts';

/** Starts the machine's Redis on a free port of 127.0.0.1; it keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const server = new RedisServer(await freePort());
  await server.start();
  return server;
}

/** A Redis server and what can befall it. */
export class RedisServer extends Program {
  readonly url: string;
  readonly #port: number;

  constructor(port: number) {
    super();
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Starts it, also after it was killed: on the same port, empty. */
  start(): Promise<void> {
    const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    return this.startProgram('redis-server', settings);
  }

  protected responds(): Promise<unknown> {
    return this.command('PING');
  }

  /** The answer to a command, on a connection of its own. */
  async command(...words: string[]): Promise<unknown> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }
}
