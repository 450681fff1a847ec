import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { readCpuTime } from './cpu-time.ts';

export interface ServerOptions {
  root: string;
  script: string;
  env: Record<string, string>;
  /** Path that responds with a status below 500 once the server is ready. */
  readyPath: string;
  /** File for its output, which is dropped otherwise. */
  outputFile?: string;
}

/** A server in a process of its own, on a port of 127.0.0.1. */
export class Server implements AsyncDisposable {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #output: FileHandle | undefined;

  private constructor(url: string, child: ChildProcess, output: FileHandle | undefined) {
    this.url = url;
    this.#child = child;
    this.#output = output;
  }

  /** Starts a script with the Node in use; resolves when the server is ready. */
  static async start({ root, script, env, readyPath, outputFile }: ServerOptions): Promise<Server> {
    const port = await freePort();
    const output = outputFile === undefined ? undefined : await open(outputFile, 'a');
    // A peer exits when its standard input closes, at the end of the benchmark.
    const child = spawn(process.execPath, [script], {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['pipe', output?.fd ?? 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    const stop = () => child.kill('SIGKILL');
    process.once('exit', stop);
    child.once('exit', () => process.off('exit', stop));
    await untilReady(`${url}${readyPath}`, child);
    return new Server(url, child, output);
  }

  /** CPU time of the process since its start in µs; undefined if the system does not report it. */
  cpuTime(): Promise<number | undefined> {
    return readCpuTime(this.#child.pid);
  }

  /** Memory of the process in bytes; undefined if the system does not report it. */
  async rss(): Promise<number | undefined> {
    if (process.platform !== 'linux') return undefined;
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(status.match(/^VmRSS:\s+(\d+) kB$/m)?.[1]) * 1024;
  }

  /** Empties the output file, which would grow by gigabytes. Returns its former length; undefined without a file. */
  async truncateOutput(): Promise<number | undefined> {
    const stat = await this.#output?.stat();
    await this.#output?.truncate();
    return stat?.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await this.#output?.close();
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined && response.status < 500) return;
    await setTimeout(50);
  }
  throw new Error(`no answer from ${url}`);
}
