import { readFileSync } from 'node:fs';

/** Ticks a second of /proc's CPU times: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** What processes of this machine use together; undefined where the system does not tell. */
export interface Usage {
  /** Memory in MB, of each. */
  rss: number[];
  /** Processor time since their start, of all, in s. */
  cpu: number;
}

/** What the processes have used until now. */
export function usageOf(pids: number[]): Usage | undefined {
  if (process.platform !== 'linux') return undefined;
  const stats = pids.map((pid) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' '),
  );
  const rss = pids.map((pid) => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1_000);
  });
  const ticks = stats.reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
  return { rss, cpu: ticks / ticksPerSecond };
}
