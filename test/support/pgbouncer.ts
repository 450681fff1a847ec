import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { serverOwner } from './postgres-cluster.ts';
import { execute } from './postgres-template.ts';
import { startProgram } from './programs.ts';

const example = new URL('../../deploy/pgbouncer.ini', import.meta.url);

/**
 * Starts the machine's PgBouncer before the server of a URL, with the file of `deploy/`, of which only the addresses are
 * others, and what `edit` makes of it.
 */
export async function startPgBouncer(serverUrl: string, edit = (file: string) => file): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  // It refuses to run as root, and runs as another user then.
  await chmod(folder, 0o755);
  const server = new URL(serverUrl);
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${decodeURIComponent(server.username)}" "${decodeURIComponent(server.password)}"\n`);
  const port = await freePort();
  const addresses = {
    'host=10.0.0.21 port=5432': `host=${server.hostname} port=${server.port || 5432}`,
    'listen_addr = *': 'listen_addr = 127.0.0.1',
    'listen_port = 6432': `listen_port = ${port}`,
    'auth_file = /etc/pgbouncer/userlist.txt': `auth_file = ${users}`,
  };
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, edit(replaceAddresses(await readFile(example, 'utf8'), addresses)));
  const bouncer = new PgBouncer(file, folder, Object.assign(new URL(server), { host: `127.0.0.1:${port}` }).href);
  try {
    await bouncer.start();
    return bouncer;
  } catch (error) {
    await bouncer[Symbol.asyncDispose]();
    throw error;
  }
}

function replaceAddresses(file: string, addresses: Record<string, string>): string {
  return Object.entries(addresses).reduce((before, [from, to]) => {
    const lines = before.split('\n').filter((line) => !line.startsWith(';') && line.includes(from));
    if (lines.length !== 1) throw new Error(`deploy/pgbouncer.ini has ${from} on ${lines.length} lines`);
    return before.replace(lines[0] as string, (line) => line.replace(from, to));
  }, file);
}

/** A PgBouncer and what can befall it. */
export class PgBouncer implements AsyncDisposable {
  /** The server's URL with PgBouncer's address. */
  readonly url: string;
  readonly #file: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(file: string, folder: string, url: string) {
    this.#file = file;
    this.#folder = folder;
    this.url = url;
  }

  /** Starts it, also after it was killed: on the same port. */
  async start(): Promise<void> {
    const owner = await serverOwner();
    const child = startProgram('pgbouncer', [this.#file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    const ended = text(child.stderr as Readable);
    for (;;) {
      const failure = await execute(this.url, 'select 1').then(
        () => undefined,
        (error: Error) => error,
      );
      if (failure === undefined) return;
      if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${await ended}`, { cause: failure });
      await setTimeout(20);
    }
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
