import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, globSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

/** Folders of programs: Debian's newest PostgreSQL, which is not in PATH, comes first. */
const folders = [
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ...(process.env.PATH ?? '').split(':'),
  '/usr/sbin',
];

export function findProgram(name: string): string | undefined {
  return folders.map((folder) => resolve(folder, name)).find(isExecutable);
}

/** Whether tests that need these programs are skipped, which is logged. */
export function lacks(...programs: string[]): boolean {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) console.warn(`skipped, as this machine has no ${missing.join(', no ')}`);
  return missing.length > 0;
}

export async function startProgram(...start: ConstructorParameters<typeof Program>): Promise<Program> {
  const program = new Program(...start);
  await program.start();
  return program;
}

/** A command that the system kills when this process ends, even by a crash (on Linux, by `setpriv`). */
export function childCommand(...command: [program: string, ...args: string[]]): [program: string, ...args: string[]] {
  const guard = findProgram('setpriv');
  return guard === undefined ? command : [guard, '--pdeathsig', 'KILL', ...command];
}

/** A server program, which ends with this process. */
export class Program implements AsyncDisposable {
  readonly #path: string;
  readonly #args: string[];
  readonly #responds: () => Promise<unknown>;
  readonly #options: SpawnOptions;
  #child: ChildProcess | undefined;

  constructor(name: string, args: string[], responds: () => Promise<unknown>, options: SpawnOptions = {}) {
    this.#path = isAbsolute(name) ? name : (findProgram(name) as string);
    this.#args = args;
    this.#responds = responds;
    this.#options = options;
  }

  get pid(): number {
    return this.#child?.pid as number;
  }

  /** Starts or restarts it; resolves once it responds. */
  async start(): Promise<void> {
    const [command, ...args] = childCommand(this.#path, ...this.#args);
    const child = spawn(command, args, { ...this.#options, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    const errors = text(child.stderr as Readable);
    while (!(await this.#responds().catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`${this.#path} did not start:\n${await errors}`);
      await setTimeout(20);
    }
  }

  /** Suspends it: connections stay open without responses. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
    // The signal may arrive later. Linux tells when it has stopped, or ended.
    const status = `/proc/${this.pid}/stat`;
    while (existsSync(status) && !/\) [TZX] /.test(readFileSync(status, 'utf8')));
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  protected async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
