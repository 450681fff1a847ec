import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StartError } from '../errors/start-error.ts';

/**
 * Takes the exclusive lock of a folder: a file `lock` with the pid of its holder. A lock whose process is gone is taken
 * over. Returns the release; throws a StartError naming the holder while another process has it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock');
  if (!(await createLock(file))) {
    const holder = await readHolder(file);
    if (isRunning(holder)) throw inUse(folder, holder);
    await rm(file, { force: true });
    if (!(await createLock(file))) throw inUse(folder, await readHolder(file));
    // Two processes may have taken over the same dead lock; the later one's file stands, the earlier one yields.
    await setTimeout(50);
    const winner = await readHolder(file);
    if (winner !== process.pid) throw inUse(folder, winner);
  }
  return () => rm(file, { force: true });
}

async function createLock(file: string): Promise<boolean> {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<number> {
  return Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
}

// In a container every start may get the same pid, so a lock with our own pid was left by a dead predecessor.
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(folder: string, pid: number): StartError {
  return new StartError(
    `The data folder ${folder} is in use by process ${pid}. Stop that process, or set DATA_DIR to another folder.`,
  );
}
