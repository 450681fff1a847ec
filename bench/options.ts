import { parseArgs } from 'node:util';
import { chooseGenerator, type Generator } from './load.ts';
import { type PeerName, peerNames } from './peers.ts';
import { scenarioIds } from './scenarios.ts';

/** What is measured, in the order it is measured. */
export const partIds = [...scenarioIds, 'write', 'sync', 'import', 'memory', 'scaling', 'workers', 'start'] as const;

export type PartId = (typeof partIds)[number];

const usage = `Usage: npm run bench -- [options]
  --only PARTS       some of: ${partIds.join(', ')}
  --peers NAMES      some of: ${peerNames.join(', ')}
  --rounds N         rounds of each server, taken in turns (5)
  --seconds N        seconds of a round (3)
  --minutes N        minutes of load of the memory part (1/3)
  --generator NAME   wrk or autocannon (wrk where it is installed)
  --quick            little data and one second each, to see that all of it works
  --save             write the results to bench/results.md, .json and .svg`;

export interface Options {
  quick: boolean;
  only: readonly PartId[];
  peers: readonly PeerName[];
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  memorySeconds: number;
  generator: Generator;
  /** Items in the database, and in the two that are compared for scaling. */
  items: number;
  scaling: readonly [small: number, large: number];
  /** How often what takes one request, or one start, is repeated. */
  repetitions: number;
  save: boolean;
}

/** Reads the command line; says how to use it and ends the process when it cannot be understood. */
export async function readOptions(args: string[]): Promise<Options> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        peers: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        minutes: { type: 'string' },
        generator: { type: 'string' },
        quick: { type: 'boolean', default: false },
        save: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) throw new Error('');
    const { quick } = values;
    return {
      quick,
      only: someOf(partIds, values.only),
      peers: someOf(peerNames, values.peers),
      rounds: Math.round(positive(values.rounds, quick ? 1 : 5)),
      seconds: Math.ceil(positive(values.seconds, quick ? 1 : 3)),
      warmUpSeconds: quick ? 0 : 2,
      memorySeconds: Math.ceil(60 * positive(values.minutes, quick ? 1 / 60 : 1 / 3)),
      generator: someOf(['wrk', 'autocannon'] as const, values.generator ?? (await chooseGenerator()))[0] as Generator,
      items: quick ? 10_000 : 100_000,
      scaling: quick ? [1_000, 10_000] : [10_000, 1_000_000],
      repetitions: quick ? 1 : 5,
      save: values.save,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`.trim());
    process.exit(1);
  }
}

function someOf<Name extends string>(names: readonly Name[], list: string | undefined): readonly Name[] {
  if (list === undefined) return names;
  const wanted = list.split(',');
  const unknown = wanted.filter((name) => !names.includes(name as Name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
  return names.filter((name) => wanted.includes(name));
}

function positive(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!(number > 0)) throw new Error(`not a number above 0: ${text}`);
  return number;
}
