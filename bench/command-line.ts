import { parseArgs } from 'node:util';
import { peerNames } from './peers.ts';
import { scenarioIds } from './scenarios.ts';

/** Parts of the benchmark, in order. */
const partIds = [...scenarioIds, 'write', 'sync', 'memory', 'worst', 'lists'] as const;

const usage = `Usage: npm run bench -- [options]
  --only PARTS       some of: ${partIds.join(', ')}
  --peers NAMES      some of: ${peerNames.join(', ')}; none
  --base COMMIT      another build, or its folder: its service takes part in every part
  --items N          items in the database (100000); tags and companies' shares grow with them
  --rounds N         rounds of each server, taken in turns (5)
  --seconds N        seconds of a round (3)
  --quick            little data and one second each, to see that all of it works
  --save             write the results to bench/results.md`;

export type Options = ReturnType<typeof readOptions>;

/** Reads the command line; prints the usage and ends the process if it is wrong. */
export function readOptions(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean', default: false } as const;
    const { values } = parseArgs({
      args,
      options: {
        only: text,
        peers: text,
        base: text,
        items: text,
        rounds: text,
        seconds: text,
        quick: flag,
        save: flag,
        help: flag,
      },
    });
    if (values.help) throw new Error('');
    const { quick, save, base } = values;
    return {
      quick,
      // These take long, and compare with nothing.
      only:
        values.only === undefined
          ? partIds.filter((id) => id !== 'worst' && id !== 'lists')
          : parseNames(partIds, values.only),
      peers: values.peers === 'none' ? [] : parseNames(peerNames, values.peers),
      base,
      rounds: positive(values.rounds, quick ? 1 : 5),
      seconds: positive(values.seconds, quick ? 1 : 3),
      warmUpSeconds: quick ? 0 : 2,
      items: positive(values.items, quick ? 10_000 : 100_000),
      save,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`.trim());
    process.exit(1);
  }
}

function parseNames<Name extends string>(names: readonly Name[], list: string | undefined): readonly Name[] {
  if (list === undefined) return names;
  const wanted = list.split(',');
  const unknown = wanted.filter((name) => !names.includes(name as Name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
  return names.filter((name) => wanted.includes(name));
}

function positive(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (!(Number.isInteger(number) && number > 0)) throw new Error(`not a whole number above 0: ${text}`);
  return number;
}
