import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { type Cluster, createCluster, createInstalledCluster } from './postgres-cluster.ts';
import { findProgram } from './programs.ts';

const START_LIMIT_MS = 30_000;

/** Settings of a server that forgets what it was told when it crashes, as most tests may have it for speed. */
const forgetful = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Starts a throw-away PostgreSQL on a free port of 127.0.0.1, as superuser `postgres` of the database `postgres`.
 * `durable` is for tests that crash it: it then keeps what it acknowledged, as PostgreSQL does unless told otherwise.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  return startServer(await createCluster(), durable ? [] : forgetful);
}

/** Starts a throw-away server of the machine's own PostgreSQL, whose `pg_dump` it works with. */
export async function startInstalledPostgres(): Promise<PostgresServer> {
  return startServer(await createInstalledCluster(dirname(dirname(findProgram('initdb') as string))), forgetful);
}

/** Starts the server of a cluster; it goes with the cluster's folder. */
export async function startServer(cluster: Cluster, settings: string[] = []): Promise<PostgresServer> {
  const server = new PostgresServer(cluster, await freePort(), settings);
  try {
    await server.start();
    return server;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

/** A PostgreSQL server and what can befall it. What stops single processes of it works on Linux alone. */
export class PostgresServer implements AsyncDisposable {
  readonly url: string;
  readonly #cluster: Cluster;
  readonly #settings: string[];
  #postmaster: ChildProcess | undefined;
  #frozen: number[] = [];

  constructor(cluster: Cluster, port: number, settings: string[]) {
    this.url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
    this.#cluster = cluster;
    this.#settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'max_connections=200',
      'timezone=UTC',
      ...settings,
    ];
  }

  /** Starts it, also after it was killed or shut down: on the same port, with the same data. */
  async start(): Promise<void> {
    const { folder, processOptions } = this.#cluster;
    const options = ['-D', join(folder, 'data'), ...this.#settings.flatMap((setting) => ['-c', setting])];
    const log = openSync(join(folder, 'log'), 'a');
    const postmaster = spawn(join(folder, 'native', 'bin', 'postgres'), options, {
      ...processOptions,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    await once(postmaster, 'spawn');
    this.#postmaster = postmaster;
    stopWithThisProcess(postmaster, folder);
    try {
      await untilConnected(this.url, postmaster);
    } catch (cause) {
      await this.shutDown();
      throw new Error(`PostgreSQL did not start:\n${await readFile(join(folder, 'log'), 'utf8')}`, { cause });
    }
  }

  /** Shuts it down fast, as an operator does: connections are ended, transactions undone. */
  async shutDown(): Promise<void> {
    await this.#end('SIGINT');
  }

  /** Kills all its processes at once, as a crash of the machine does (but for what the disk still has to write). */
  async kill(): Promise<void> {
    this.freeze();
    const pids = this.#frozen.splice(0);
    for (const pid of pids) signal(pid, 'SIGKILL');
    await this.#end('SIGKILL');
    // It does not start again before the last of them has let go of their shared memory.
    while (pids.some(isAlive)) await setTimeout(10);
  }

  /** Stops all its processes where they are: connections stay open, and nothing is answered any more. */
  freeze(): void {
    const { pid } = this.#postmaster as { pid: number };
    // The postmaster first, so that it starts no more of them.
    signal(pid, 'SIGSTOP');
    this.#frozen = [pid, ...childrenOf(pid)];
    for (const each of this.#frozen) signal(each, 'SIGSTOP');
  }

  /** Lets it go on after a freeze. */
  thaw(): void {
    for (const pid of this.#frozen.splice(0)) signal(pid, 'SIGCONT');
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    this.thaw();
    await this.shutDown();
    await this.#cluster.remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #end(name: NodeJS.Signals): Promise<void> {
    const postmaster = this.#postmaster;
    if (postmaster === undefined || postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    const exited = once(postmaster, 'exit');
    postmaster.kill(name);
    await exited;
  }
}

/** Signals a process, if it is still there. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
}

/** Whether a process runs; one that has ended and is only not yet reaped does not. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** No handler runs in a killed process, but the pipe to its children closes: a watcher then ends the server. */
function stopWithThisProcess(postmaster: ChildProcess, folder: string): void {
  const script = `process.stdin.resume().on('end', () => {
    for (const signal of ['SIGQUIT', 'SIGCONT']) process.kill(${postmaster.pid}, signal);
    fs.promises.rm(${JSON.stringify(folder)}, { recursive: true, force: true, maxRetries: 10 });
  })`;
  const watcher = spawn(process.execPath, ['--eval', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  postmaster.once('exit', () => watcher.kill());
}

async function untilConnected(url: string, postmaster: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      return;
    } catch (error) {
      const exited = postmaster.exitCode !== null || postmaster.signalCode !== null;
      if (exited || Date.now() > deadline) throw error;
      await setTimeout(25);
    } finally {
      await client.end();
    }
  }
}
