import type { Contender, Round } from './contender.ts';
import { max, median, min } from './statistics.ts';

/** What a contender came to: medians of its rounds, and how far they lie apart. */
export interface Measurement extends Round {
  name: string;
  label: string;
  role: Contender['role'];
  /** Slowest and fastest round, in requests a second. */
  spread: [number, number];
  /** Memory in bytes after the last round. */
  rss: number | undefined;
  /** Its share of the limit's speed, and of the best peer's: medians of the shares of each round. */
  ofLimit: number | undefined;
  ofBestPeer: number | undefined;
}

interface Plan {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

/** Measures contenders in turns, so that what disturbs one round of the machine disturbs them all. */
export async function measure(
  contenders: Contender[],
  { rounds, seconds, warmUpSeconds }: Plan,
): Promise<Measurement[]> {
  for (const contender of contenders) await contender.check();
  const measured = new Map<Contender, Round[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) if (warmUpSeconds > 0) await contender.measure(warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    // There and back, so that nobody always follows the same one.
    const turn = round % 2 === 0 ? contenders : contenders.toReversed();
    for (const contender of turn) measured.get(contender)?.push(await contender.measure(seconds));
  }
  for (const contender of contenders) await contender.check();
  return summarize(measured);
}

async function summarize(measured: Map<Contender, Round[]>): Promise<Measurement[]> {
  const speeds = (role: Contender['role']) =>
    [...measured].filter(([contender]) => contender.role === role).map(([, rounds]) => speedsOf(rounds));
  const limit = fastest(speeds('limit'));
  const bestPeer = fastest(speeds('peer'));
  return Promise.all(
    [...measured].map(async ([{ name, label, role, rss }, rounds]) => ({
      name,
      label,
      role,
      requestsPerSecond: median(speedsOf(rounds)),
      spread: [min(speedsOf(rounds)), max(speedsOf(rounds))] as [number, number],
      p50: median(rounds.map((round) => round.p50)),
      p99: median(rounds.map((round) => round.p99)),
      cpuPerRequest: medianOfKnown(rounds.map((round) => round.cpuPerRequest)),
      generatorShare: medianOfKnown(rounds.map((round) => round.generatorShare)),
      rss: await rss(),
      ofLimit: shareOf(speedsOf(rounds), limit),
      ofBestPeer: shareOf(speedsOf(rounds), bestPeer),
    })),
  );
}

function speedsOf(rounds: Round[]): number[] {
  return rounds.map((round) => round.requestsPerSecond);
}

function fastest(contenders: number[][]): number[] | undefined {
  return contenders.toSorted((a, b) => median(b) - median(a))[0];
}

// Round by round: only what was measured side by side is compared.
function shareOf(speeds: number[], others: number[] | undefined): number | undefined {
  return others && median(speeds.map((speed, round) => speed / (others[round] as number)));
}

function medianOfKnown(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}
