import { createClient } from '@redis/client';
import { freePort } from './free-port.ts';
import { startProgram } from './programs.ts';

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** Starts the installed Redis on a free port of 127.0.0.1, without persistence. */
export async function startRedis() {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  async function command(...words: string[]): Promise<unknown> {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.sendCommand(words);
    } finally {
      client.destroy();
    }
  }
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const program = await startProgram('redis-server', settings, () => command('PING'));
  return Object.assign(program, { url, command });
}
