import { Option } from '@commander-js/extra-typings';
import { listLogEntries } from '../../domain/admin-log.ts';
import { referenceListNames } from '../../domain/reference/lists.ts';
import { seed } from '../../domain/reference/seed/seed.ts';
import { listMigrations, listUnknownMigrations, migrateToLatest } from '../../platform/database/migrate.ts';
import type { Admin } from './commands.ts';
import { parseCount, parseDays } from './options.ts';

export function addDatabaseCommands(admin: Admin): void {
  admin.program
    .command('migrate')
    .description('apply pending migrations, all or nothing')
    .option('--status', 'list applied and pending migrations instead')
    .action(({ status }) => {
      const options = { migrated: false };
      if (status) return admin.list(async (db) => [...(await listMigrations(db))], options);
      return admin.withDatabase(async (db) => {
        const migrated = await migrateToLatest(db);
        if (migrated.length > 0) await admin.log(db, { migrated });
        const unknown = await listUnknownMigrations(db);
        const newer = `The database is newer than this version: it has ${unknown.join(', ')} too. No changes were made.`;
        const done = migrated.length === 0 ? 'The database is up to date.' : `Migrated: ${migrated.join(', ')}`;
        admin.print(
          admin.isJson
            ? JSON.stringify({ migrated, ...(unknown.length > 0 && { unknown }) })
            : unknown.length > 0
              ? newer
              : done,
        );
      }, options);
    });

  admin.program
    .command('seed')
    .description('fill empty reference lists')
    .option('--demo', 'also fill the sample lists, and add the demo partners')
    .addOption(new Option('--update <list>', 'add the shipped entries that a list lacks').choices(referenceListNames))
    .action((options) =>
      admin.change(async (db) => {
        const { added, skipped, partners } = await seed(db, options);
        const lines = Object.entries(added).map(([list, count]) => `${list}: ${count} added`);
        const text = [
          ...lines,
          ...skipped,
          ...partners.map((name) => `${name} added`),
          'Reference data is up to date.',
        ];
        const changed = lines.length + partners.length > 0;
        return { text: text.join('\n'), data: { added, skipped, partners }, changed };
      }),
    );

  admin.program
    .command('log')
    .description('list changes made with this command, newest first')
    .option('--days <number>', 'only changes of the last <number> days', parseDays)
    .option('--limit <number>', 'maximum number of changes', parseCount, 100)
    .action((options) => admin.list((db) => listLogEntries(db, options)));
}
