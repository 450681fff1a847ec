import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Counts } from './data.ts';
import type { ImportTime } from './import.ts';
import { connections } from './load.ts';
import type { Measurement } from './measure.ts';
import type { MemoryCourse } from './memory.ts';
import type { Options } from './options.ts';
import type { Scaling } from './scaling.ts';
import type { StartTimes } from './startup.ts';
import type { SyncStep } from './sync.ts';
import type { Workers } from './workers.ts';

/** All that was measured; a part is absent when it was not asked for. */
export interface Results {
  circumstances: Circumstances;
  scenarios: { id: string; title: string; measurements: Measurement[] }[];
  sync?: SyncStep[];
  import?: ImportTime;
  memory?: { afterStart: number | undefined; afterScenarios: number | undefined; course: MemoryCourse };
  scaling?: Scaling;
  workers?: Workers[];
  start?: StartTimes;
}

interface Circumstances {
  date: string;
  processor: string;
  memory: number;
  /** How busy the machine was with other things: mean number of running processes in the minute before. */
  loadBefore: number | undefined;
  node: string;
  postgres: string;
  pgbench: string | undefined;
  generator: Options['generator'];
  connections: number;
  quick: boolean;
  rounds: number;
  seconds: number;
  counts: Counts;
  packages: Record<string, string>;
}

export function describeCircumstances(
  options: Options,
  found: Pick<Circumstances, 'counts' | 'postgres' | 'pgbench' | 'loadBefore'>,
): Circumstances {
  const [processor] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} x ${processor?.model.trim()}`,
    memory: totalmem(),
    node: process.version,
    generator: options.generator,
    connections,
    quick: options.quick,
    rounds: options.rounds,
    seconds: options.seconds,
    packages: packagesOf('package.json'),
    ...found,
  };
}

/** Processes waiting for a processor; Windows does not tell. */
export function currentLoad(): number | undefined {
  return process.platform === 'win32' ? undefined : loadavg()[0];
}

/** Refuses to compare this service with peers on other versions of the libraries that they share. */
export function ensureSameVersions(): void {
  const service = packagesOf('../package.json');
  const others = Object.entries(packagesOf('package.json')).filter(
    ([name, version]) => service[name] !== undefined && service[name] !== version,
  );
  if (others.length > 0) throw new Error(`other versions than the service's: ${others.join(' ')}`);
}

function packagesOf(file: string): Record<string, string> {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')).dependencies;
}
