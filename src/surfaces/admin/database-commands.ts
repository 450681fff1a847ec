import { Option } from '@commander-js/extra-typings';
import { type LogEntry, listLogEntries } from '../../domain/admin-log.ts';
import { snakeCased } from '../../domain/files/columns.ts';
import { referenceListNames } from '../../domain/reference/lists.ts';
import { seed } from '../../domain/reference/seed/seed.ts';
import { listMigrations, listUnknownMigrations, migrateToLatest } from '../../platform/database/migrate.ts';
import type { Admin } from './commands.ts';
import { parseCount, parseDays } from './options.ts';

export function addDatabaseCommands(admin: Admin): void {
  admin
    .command('migrate', 'bring the database to the newest migration, all or nothing', '', '--status')
    .option('--status', 'only list the migrations, applied and pending')
    .action(({ status }) => {
      const options = { migrated: false };
      if (status) return admin.list(async (db) => [...(await listMigrations(db))], options);
      return admin.withDatabase(async (db) => {
        const migrated = await migrateToLatest(db);
        if (migrated.length > 0) await admin.log(db, { migrated });
        const unknown = await listUnknownMigrations(db);
        const newer = `The database is newer than this version: it has ${unknown.join(', ')} too. Nothing was changed.`;
        const done = migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}`;
        admin.report(
          unknown.length > 0 ? { text: newer, data: { migrated, unknown } } : { text: done, data: { migrated } },
        );
      }, options);
    });

  admin
    .command('seed', 'fill empty reference lists; existing entries stay as they are', '', '--demo', '--update cities')
    .option('--demo', 'also fill the sample lists, and add the demo partners')
    .addOption(new Option('--update <list>', 'add the shipped entries that a list lacks').choices(referenceListNames))
    .action(({ demo = false, update }) =>
      admin.change(async (db) => {
        const { added, skipped, partners } = await seed(db, { demo, update });
        const lines = [...Object.entries(added).map(([list, count]) => `${list}: ${count} added`), ...skipped];
        const text = [...lines, ...partners.map((name) => `${name} added`), 'Reference data is up to date.'].join('\n');
        const changed = partners.length > 0 || Object.values(added).some((count) => count > 0);
        return { text, data: { added, skipped, partners }, changed };
      }),
    );

  admin
    .command('log', 'list the changes that this command made, newest first', '', '--days 7 --json')
    .option('--days <number>', 'only changes of the last days', parseDays)
    .option('--limit <number>', 'maximum number of changes', parseCount, 100)
    .action((options) =>
      admin.list(async (db) => {
        const entries = await listLogEntries(db, options);
        return admin.isJson ? entries : entries.map(lineOf);
      }),
    );
}

/** Longest name and change, in characters, so that a row with its time fits 100 columns. */
const maxNameLength = 16;
const maxChangeLength = 54;

/** A log entry as a table row: the command with its arguments, and its result. */
function lineOf({ at, by, command, details }: LogEntry): object {
  const { arguments: args, options, result } = details;
  const given = Object.entries(snakeCased(options)).map(([name, value]) => {
    const option = `--${name.replaceAll('_', '-')}`;
    return value === true ? option : `${option} ${value}`;
  });
  const outcome = Object.entries(result).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const change = `${[command, ...args, ...given].join(' ')}: ${outcome.join(', ')}`;
  const time = at.toISOString().slice(0, 16).replace('T', ' ');
  return { at: time, by: cut(by, maxNameLength), change: cut(change, maxChangeLength) };
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
