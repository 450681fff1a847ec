import type { Contender, Round } from './contenders.ts';

/** Medians of a contender's rounds, and their spread. */
export interface Measurement extends Round {
  label: string;
  role: Contender['role'];
  /** Slowest and fastest round, in requests a second. */
  spread: [number, number];
  /** Memory in bytes after the last round. */
  rss: number | undefined;
  /** Its speed as a share of the limit's, the base's and the best peer's: medians over the rounds. */
  ofLimit: number | undefined;
  ofBase: number | undefined;
  ofBestPeer: number | undefined;
}

export interface Plan extends Record<'rounds' | 'seconds' | 'warmUpSeconds', number> {
  /** CPU time of PostgreSQL in µs, which all contenders share. */
  databaseCpu: () => Promise<number | undefined>;
}

/** Alternates contenders, so that a disturbance of the machine affects all of them. */
export async function measure(contenders: Contender[], plan: Plan): Promise<Measurement[]> {
  for (const contender of contenders) await contender.check();
  const measured = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) if (plan.warmUpSeconds > 0) await contender.measure(plan.warmUpSeconds);
  for (let round = 0; round < plan.rounds; round += 1) {
    // Alternates the direction, so that no contender always follows the same one.
    const turn = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of turn) {
      const before = await plan.databaseCpu();
      const round = await contender.measure(plan.seconds);
      const after = await plan.databaseCpu();
      const requests = round.requestsPerSecond * plan.seconds;
      const databaseCpuPerRequest =
        before === undefined || after === undefined ? undefined : (after - before) / requests;
      measured.get(contender)?.push({ ...round, databaseCpuPerRequest });
    }
  }
  for (const contender of contenders) await contender.check();
  return summarize(measured);
}

async function summarize(measured: Map<Contender, Round[]>): Promise<Measurement[]> {
  const fastest = (wanted: Contender['role']) =>
    [...measured]
      .filter(([{ role }]) => role === wanted)
      .map(([, rounds]) => listSpeeds(rounds))
      .toSorted((a, b) => median(b) - median(a))[0];
  const [limit, base, bestPeer] = [fastest('limit'), fastest('base'), fastest('peer')];
  return Promise.all(
    [...measured].map(async ([{ label, role, rss }, rounds]) => {
      const speeds = listSpeeds(rounds);
      const medianFor = (name: keyof Round) => medianOfKnown(rounds.map((round) => round[name]));
      return {
        label,
        role,
        requestsPerSecond: median(speeds),
        spread: [Math.min(...speeds), Math.max(...speeds)] as [number, number],
        p50: medianFor('p50') as number,
        p99: medianFor('p99') as number,
        cpuPerRequest: medianFor('cpuPerRequest'),
        databaseCpuPerRequest: medianFor('databaseCpuPerRequest'),
        rss: await rss(),
        ofLimit: computeShare(speeds, limit),
        ofBase: computeShare(speeds, base),
        ofBestPeer: computeShare(speeds, bestPeer),
      };
    }),
  );
}

function listSpeeds(rounds: Round[]): number[] {
  return rounds.map((round) => round.requestsPerSecond);
}

// Round by round, because only speeds measured side by side are comparable.
function computeShare(speeds: number[], others: number[] | undefined): number | undefined {
  return others && median(speeds.map((speed, round) => speed / (others[round] as number)));
}

function medianOfKnown(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}

/** The median; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (round: (rank: number) => number) => sorted[round((sorted.length - 1) / 2)] as number;
  return (at(Math.floor) + at(Math.ceil)) / 2;
}
