import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { startProgram } from './programs.ts';

/** Starts the machine's HAProxy with a file of `deploy/`, or of elsewhere, whose addresses the environment gives. */
export async function startHAProxy(file: string, env: Record<string, string>): Promise<HAProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const address = `127.0.0.1:${await freePort()}`;
  const path = resolve(fileURLToPath(new URL('../../deploy', import.meta.url)), file);
  const socket = join(folder, 'admin.sock');
  const child = startProgram('haproxy', ['-db', '-f', path], {
    env: { ...env, BIND: address, HAPROXY_SOCKET: socket },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const haproxy = new HAProxy(child, address, socket, folder);
  const ended = text(child.stderr as Readable);
  while (!(await haproxy.servers().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${await ended}`);
    await setTimeout(20);
  }
  return haproxy;
}

/** A running HAProxy. */
export class HAProxy implements AsyncDisposable {
  /** Host and port that it listens on. */
  readonly address: string;
  readonly #child: ChildProcess;
  /** Of the runtime API. */
  readonly socket: string;
  readonly #folder: string;

  constructor(child: ChildProcess, address: string, socket: string, folder: string) {
    this.#child = child;
    this.address = address;
    this.socket = socket;
    this.#folder = folder;
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

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
