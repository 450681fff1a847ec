import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { seedDemo } from '../../../domain/reference/seed/demo.ts';
import { seedReferenceData } from '../../../domain/reference/seed/reference.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';

/** `seed`: brings the reference data up to date. */
export function seed({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('seed')
    .description('bring the reference data up to date; what is the same stays untouched')
    .option('--demo', 'add the demo partners too, unless they are there')
    .addHelpText('after', examples('', '--demo'))
    .action(({ demo }) =>
      withDatabase(async (db) => {
        await seedReferenceData(db);
        if (demo) await seedDemo(db);
        await terminal.print(`Reference data is up to date${demo ? ', demo partners are there' : ''}.`);
      }),
    );
}
