import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../kernel/errors/start-error.ts';

/**
 * Takes the exclusive lock of a folder: a file `lock` with the pid of its holder. A lock whose process is gone is taken
 * over. Returns the release; throws a StartError naming the holder while another process has it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock');
  const own = `${file}.${process.pid}`;
  try {
    // Written first and linked then, so that a lock always says whose it is.
    await writeFile(own, `${process.pid}\n`, { mode: 0o600 });
    if (!(await tryLink(own, file))) {
      const holder = await readHolder(file);
      if (isRunning(holder) || !(await removeStale(file, holder)) || !(await tryLink(own, file))) {
        throw inUse(folder, await readHolder(file));
      }
    }
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(file, { force: true });
}

// Moves the lock away and looks at what was moved: another process may have taken over the same dead lock just before.
async function removeStale(file: string, holder: number): Promise<boolean> {
  const moved = `${file}.${process.pid}.stale`;
  try {
    await rename(file, moved);
  } catch {
    return true;
  }
  const isStale = (await readHolder(moved)) === holder;
  if (!isStale) await tryLink(moved, file);
  await rm(moved, { force: true });
  return isStale;
}

async function tryLink(existing: string, file: string): Promise<boolean> {
  try {
    await link(existing, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The pid in a lock; 0 where there is none. */
async function readHolder(file: string): Promise<number> {
  return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10) || 0;
}

// In a container every start may get the same pid, so a lock with our own pid was left by a dead predecessor.
function isRunning(pid: number): boolean {
  if (pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Another process uses the data folder. */
export class FolderInUseError extends StartError {}

function inUse(folder: string, pid: number): StartError {
  const holder = pid === 0 ? 'another process' : `process ${pid}`;
  return new FolderInUseError(
    `The data folder ${folder} is in use by ${holder}. Stop that process, or set DATA_DIR to another folder. ` +
      `If no such process is this service, remove ${join(folder, 'lock')}.`,
  );
}
