import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { Program } from './programs.ts';

/** Starts the machine's HAProxy with a file of `deploy/`, or of elsewhere, whose addresses the environment gives. */
export async function startHAProxy(file: string, env: Record<string, string>): Promise<HAProxy> {
  const socket = join(await mkdtemp(join(tmpdir(), 'haproxy-')), 'admin.sock');
  const haproxy = new HAProxy(`127.0.0.1:${await freePort()}`, socket);
  await haproxy.start(resolve(fileURLToPath(new URL('../../deploy', import.meta.url)), file), env);
  return haproxy;
}

/** A running HAProxy. */
export class HAProxy extends Program {
  /** Host and port that it listens on. */
  readonly address: string;
  /** Of the runtime API. */
  readonly socket: string;

  constructor(address: string, socket: string) {
    super();
    this.address = address;
    this.socket = socket;
  }

  start(path: string, env: Record<string, string>): Promise<void> {
    const own = { BIND: this.address, HAPROXY_SOCKET: this.socket };
    return this.startProgram('haproxy', ['-db', '-f', path], { env: { ...env, ...own } });
  }

  protected responds(): Promise<unknown> {
    return this.servers();
  }

  /** The states of a backend's servers (`UP`, `DOWN`, also on the way there: `UP 1/2`), by their names. */
  async servers(backend = ''): Promise<Record<string, string>> {
    const socket = connect(this.socket);
    socket.end('show stat\n');
    const lines = (await text(socket)).split('\n').map((line) => line.split(','));
    const header = lines[0] ?? [];
    const [name, state] = [header.indexOf('svname'), header.indexOf('status')];
    const isServer = (line: string[]) => line[0] === backend && !['FRONTEND', 'BACKEND'].includes(line[name] ?? '');
    return Object.fromEntries(lines.filter(isServer).map((line) => [line[name], line[state]]));
  }

  /** Waits until those servers of a backend that are named are up, and the others down. */
  async until(backend: string, ...up: string[]): Promise<void> {
    for (;;) {
      const states = Object.entries(await this.servers(backend));
      if (states.length > 0 && states.every(([name, state]) => state === (up.includes(name) ? 'UP' : 'DOWN'))) return;
      await setTimeout(50);
    }
  }
}
