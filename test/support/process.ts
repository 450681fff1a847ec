import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { runAdmin as run } from '../../src/app/run-admin.ts';
import { Client } from './client.ts';
import { root } from './documents.ts';
import { freePort } from './free-port.ts';
import { childCommand } from './programs.ts';
import { getContract } from './rest-contract.ts';
import type { Env } from './test-app.ts';

/** Without the optimizing compiler, which takes most of the time to open the embedded database. */
const quickWasm = ['--liftoff-only'];

export type ProcessEnv = Record<string, string | undefined>;

/** A child process of the built project, and its output so far. It ends with this process. */
export class Process implements AsyncDisposable {
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(script: string, args: string[], env: ProcessEnv, input?: string) {
    // Only the given variables, not those of the developer's shell.
    const node = [process.execPath, ...(env.DATA_DIR ? quickWasm : []), join(root, script)] as const;
    const [command, ...rest] = childCommand(...node, ...args);
    this.#child = spawn(command, rest, {
      cwd: root,
      env: { PATH: process.env.PATH, ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin?.end(input);
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.setEncoding('utf8').on('data', (printed: string) => {
        this[name] += printed;
      });
    }
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Stops reading its output. */
  pauseOutput(): void {
    this.#child.stdout?.pause();
  }

  /** Sends a signal to this process only; resolves to its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.running) await this.end('SIGKILL');
  }
}

export async function runAdmin(env: ProcessEnv, ...args: string[]) {
  const printed = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        printed[name] += text;
        done();
      },
    });
  const streams = { stdout: streamTo('stdout'), stderr: streamTo('stderr') } as unknown as NodeJS.Process;
  const code = await run(args, { env: env as Env, streams });
  return { code, ...printed };
}

/** Standard error without the id and the expiry of a new token. */
export function withoutNotes(stderr: string): string {
  return stderr.replaceAll(/^Token \d+ is shown only this once\..*\n/gm, '');
}

/** The admin command on one database: its run, and the output of a successful run as text and as JSON. */
export function createAdmin(env: ProcessEnv) {
  const run = (...args: string[]) => runAdmin(env, ...args);
  const print = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stderr: withoutNotes(stderr) }).toEqual({ code: 0, stderr: '' });
    return stdout.trimEnd();
  };
  return { run, print, list: async (...args: string[]) => JSON.parse(await print(...args, '--json')) };
}

/** Starts the admin command as a process with this text as standard input. */
export function spawnAdmin(env: ProcessEnv, args: string[], input?: string): Process {
  return new Process('dist/src/admin.js', args, env, input);
}

/** Runs the admin command as a process. */
export async function runAdminProcess(env: ProcessEnv, ...args: string[]) {
  await using child = spawnAdmin(env, args);
  const code = await child.exited;
  const { stdout, stderr } = child;
  return { code, stdout, stderr };
}

/** Expects that an admin command failed with a sentence on standard error, exit code 1, and no other output. */
export function expectFailure(run: { stderr: string }, says: RegExp): void {
  expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
  expect(run.stderr).not.toMatch(/^\s+at /m);
}

/** Expects a usage error of an admin command: an error, a pointer to the help, and exit code 2. */
export function expectWrongUsage(run: { stderr: string }, says: RegExp): void {
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  expect(run.stderr).toMatch(/^error: .+\nSee: .+ --help\n$/s);
}

export type ServiceProcess = Process & { url: string; client: Client };

export async function spawnService(env: ProcessEnv): Promise<ServiceProcess> {
  const port = env.PORT ?? String(await freePort());
  const child = new Process('dist/src/main.js', [], { LOG_LEVEL: 'warn', SHUTDOWN_DELAY: '0', ...env, PORT: port });
  const url = `http://127.0.0.1:${port}`;
  const contract = getContract(envToConfig({ RATE_LIMIT: env.RATE_LIMIT ?? 'on' }));
  return Object.assign(child, { url, client: new Client(url, contract) });
}

export async function startService(env: ProcessEnv): Promise<ServiceProcess> {
  const service = await spawnService(env);
  if (!(await isServing(service))) throw new Error(`the service ended:\n${service.stderr}`);
  return service;
}

export async function isServing(service: ServiceProcess): Promise<boolean> {
  while (service.running) {
    if (await fetch(service.url).catch(() => undefined)) return service.running;
    await setTimeout(50);
  }
  return false;
}

/** Waits until the process has printed the pattern; resolves to the match. */
export async function printed(child: Process, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(child.stdout);
    if (match !== null) return match;
    if (!child.running) throw new Error(`the process ended without printing ${pattern}:\n${child.stderr}`);
    await setTimeout(20);
  }
}
