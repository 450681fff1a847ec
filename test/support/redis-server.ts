import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort } from './free-port.ts';
import { startProgram } from './programs.ts';

/** Starts the machine's Redis on a free port of 127.0.0.1; it keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const server = new RedisServer(await freePort());
  await server.start();
  return server;
}

/** A Redis server and what can befall it. */
export class RedisServer implements AsyncDisposable {
  readonly url: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
    this.url = `redis://127.0.0.1:${port}`;
  }

  /** Starts it, also after it was killed: on the same port, empty. */
  async start(): Promise<void> {
    const settings = ['--port', String(this.#port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = startProgram('redis-server', settings, { stdio: 'ignore' });
    await once(this.#child, 'spawn');
    while (!(await this.command('PING').catch(() => false))) await setTimeout(20);
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

  /** Stops it where it is: connections stay open, and nothing is answered any more. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  /** Lets it go on after a freeze. */
  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
