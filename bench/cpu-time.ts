import { readFile } from 'node:fs/promises';

/** Ticks per second of CPU times in /proc: 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

/** CPU time of a process since its start in µs; undefined if the system does not report it. */
export async function readCpuTime(pid: number | undefined): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [user, system] = await readTimes(pid);
  return toMicroseconds(user + system);
}

/** CPU time of a PostgreSQL with its processes, those that have ended too. */
export async function cpuTimeOfServer(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = text.trim().split(' ');
  const ofChildren = await Promise.all(
    children.map(async (child) => {
      const [user, system] = await readTimes(child).catch(() => [0, 0] as const);
      return user + system;
    }),
  );
  const own = await readTimes(pid);
  return toMicroseconds([...own, ...ofChildren].reduce((total, ticks) => total + ticks, 0));
}

/** User and system time of a process, and of its children that have ended, in ticks. */
async function readTimes(pid: number | string | undefined): Promise<[number, number, number, number]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name, in parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number) as [number, number, number, number];
}

function toMicroseconds(ticks: number): number {
  return (ticks / ticksPerSecond) * 1e6;
}
