import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { join } from 'node:path';

/** Where programs are: the newest PostgreSQL of Debian's, which is on nobody's path, before all others. */
const folders = [
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ...(process.env.PATH ?? '').split(':'),
  '/usr/sbin',
];

/** The path of a program of the machine; undefined when it has none. */
export function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Whether tests that need these programs must be skipped, which is then said. */
export function lacks(...programs: string[]): boolean {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) console.warn(`skipped, as this machine has no ${missing.join(', no ')}`);
  return missing.length > 0;
}

/** Starts a program of the machine, which ends with this process however that ends (on Linux, by its `setpriv`). */
export function startProgram(name: string, args: string[], options: SpawnOptions): ChildProcess {
  const program = findProgram(name) as string;
  const guard = findProgram('setpriv');
  if (guard === undefined) return spawn(program, args, options);
  return spawn(guard, ['--pdeathsig', 'KILL', program, ...args], options);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
