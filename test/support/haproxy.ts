import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { startProgram } from './programs.ts';

const deploy = fileURLToPath(new URL('../../deploy', import.meta.url));

/** Starts HAProxy with files of `deploy/`; `socket` is its runtime API. */
export async function startHAProxy(files: string[], env: Record<string, string>) {
  const socket = join(await mkdtemp(join(tmpdir(), 'haproxy-')), 'admin.sock');
  const address = `127.0.0.1:${await freePort()}`;

  /** States of a backend's servers by name: `UP`, `DOWN`, or in transition, such as `UP 1/2`. */
  async function servers(backend = ''): Promise<Record<string, string>> {
    const lines = (await text(connect(socket).end('show stat\n'))).split('\n').map((line) => line.split(','));
    const header = lines[0] ?? [];
    const [name, state] = [header.indexOf('svname'), header.indexOf('status')];
    const isServer = (line: string[]) => line[0] === backend && !['FRONTEND', 'BACKEND'].includes(line[name] ?? '');
    return Object.fromEntries(lines.filter(isServer).map((line) => [line[name], line[state]]));
  }

  /** Waits until the named servers of a backend are up and the others down. */
  async function until(backend: string, ...up: string[]): Promise<void> {
    for (;;) {
      const states = Object.entries(await servers(backend));
      if (states.length > 0 && states.every(([name, state]) => state === (up.includes(name) ? 'UP' : 'DOWN'))) return;
      await setTimeout(50);
    }
  }

  const options = { env: { ...env, BIND: address, HAPROXY_SOCKET: socket } };
  const args = ['-db', ...files.flatMap((file) => ['-f', resolve(deploy, file)])];
  const program = await startProgram('haproxy', args, () => servers(), options);
  return Object.assign(program, { address, socket, until });
}
