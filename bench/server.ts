import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { root } from './database.ts';

const startLimit = 30_000;

/** Ticks a second of /proc's CPU times: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

export interface ServerOptions {
  script: string;
  env: Record<string, string>;
  /** What answers with less than 500 as soon as the server takes work. */
  readyPath: string;
  /** Where its output goes; it has none to speak of otherwise. */
  outputFile?: string;
}

/** A server in a process of its own, on a port of 127.0.0.1. */
export class Server implements AsyncDisposable {
  readonly url: string;
  /** From its start until it took work, in ms. */
  readonly startTime: number;
  readonly #child: ChildProcess;
  readonly #output: FileHandle | undefined;

  private constructor(url: string, startTime: number, child: ChildProcess, output: FileHandle | undefined) {
    this.url = url;
    this.startTime = startTime;
    this.#child = child;
    this.#output = output;
  }

  /** Starts a script with the Node in use; resolves when the server is ready. */
  static async start({ script, env, readyPath, outputFile }: ServerOptions): Promise<Server> {
    const port = await freePort();
    const output = outputFile === undefined ? undefined : await open(outputFile, 'a');
    const startedAt = performance.now();
    // The pipe to its standard input tells a peer when the benchmark has ended.
    const child = spawn(process.execPath, [script], {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['pipe', output?.fd ?? 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    const stop = () => child.kill('SIGKILL');
    process.once('exit', stop);
    child.once('exit', () => process.off('exit', stop));
    await untilReady(`${url}${readyPath}`, child, startedAt + startLimit);
    return new Server(url, performance.now() - startedAt, child, output);
  }

  /** CPU time of the process and its children since their start in µs; undefined where the system does not tell. */
  async cpuTime(): Promise<number | undefined> {
    return this.#sum('stat', (stat) => {
      // The second field is the program's name, in brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
    });
  }

  /** Memory that the process and its children hold, in bytes; undefined where the system does not tell. */
  async rss(): Promise<number | undefined> {
    return this.#sum('status', (status) => Number(status.match(/^VmRSS:\s+(\d+) kB$/m)?.[1]) * 1024);
  }

  /** Empties the file of its output, which would grow by gigabytes. Returns its length; undefined without a file. */
  async truncateOutput(): Promise<number | undefined> {
    const stat = await this.#output?.stat();
    await this.#output?.truncate();
    return stat?.size;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await this.#output?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #sum(file: string, read: (content: string) => number): Promise<number | undefined> {
    if (process.platform !== 'linux') return undefined;
    const pid = String(this.#child.pid);
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const contents = [pid, ...(children.match(/\d+/g) ?? [])].map((each) => readFile(`/proc/${each}/${file}`, 'utf8'));
    return (await Promise.all(contents)).map(read).reduce((sum, value) => sum + value, 0);
  }
}

async function untilReady(url: string, child: ChildProcess, deadline: number): Promise<void> {
  for (;;) {
    const ready = await fetch(url).then(
      async (response) => {
        await response.body?.cancel();
        return response.status < 500;
      },
      () => false,
    );
    if (ready) return;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`no answer from ${url}`);
    await setTimeout(5);
  }
}
