import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { listMigrations, migrateToLatest } from '../../../platform/database/migrate.ts';
import type { Admin } from '../admin.ts';
import { examples } from '../examples.ts';
import { type Column, onePage, printRows } from '../rows.ts';

type Migration = Awaited<ReturnType<typeof listMigrations>>[number];

const columns: Column<Migration>[] = [
  { name: 'state', value: ({ executedAt }) => (executedAt === undefined ? 'pending' : 'applied') },
  { name: 'name', value: ({ name }) => name },
  { name: 'applied_at', value: ({ executedAt }) => executedAt ?? null },
];

/** `migrate`: brings the database to the newest migration. */
export function migrate({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('migrate')
    .description('bring the database to the newest migration, all or nothing')
    .option('--status', 'only list the migrations, applied and pending')
    .option('--json', 'with --status, print JSON')
    .addHelpText('after', examples('', '--status'))
    .action(({ status, json }) =>
      withDatabase(
        async (db) => {
          if (status)
            return printRows(terminal, columns, onePage(listMigrations(db)), { json, none: 'No migrations.' });
          const names = await migrateToLatest(db);
          await terminal.print(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`);
        },
        { migrated: false },
      ),
    );
}
