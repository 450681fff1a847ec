import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { referenceListNames } from '../../domain/reference/lists.ts';
import { seedDemo } from '../../domain/reference/seed/demo.ts';
import { seedReferenceData } from '../../domain/reference/seed/reference.ts';
import type { Database } from '../../domain/tables.ts';
import { listMigrations, migrateToLatest } from '../../platform/database/migrate.ts';
import type { Admin } from './admin.ts';

export function databaseCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command('migrate', 'bring the database to the newest migration, all or nothing', '', '--status')
      .option('--status', 'only list the migrations, applied and pending')
      .action(({ status }) => {
        if (status) return admin.list(migrations, 'There are no migrations.', { migrated: false });
        return admin.withDatabase(
          async (db) => {
            const names = await migrateToLatest(db);
            if (names.length > 0) await admin.log(db, { migrated: names });
            const text = names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`;
            await admin.report({ text, data: { migrated: names } });
          },
          { migrated: false },
        );
      }),
    admin
      .command('seed', 'fill empty reference lists; existing entries stay as they are', '', '--demo', '--update cities')
      .option('--demo', 'also fill the sample lists, and add the demo partners')
      .addOption(new Option('--update <list>', 'add the shipped entries that a list lacks').choices(referenceListNames))
      .action(({ demo = false, update }) =>
        admin.change(async (db) => {
          const { added, skipped } = await seedReferenceData(db, { samples: demo, update });
          if (demo) await seedDemo(db);
          const counts = Object.entries(added).map(([list, count]) => `${list}: ${count} added`);
          const state = `Reference data is up to date${demo ? ', demo partners are there' : ''}.`;
          return { text: [...counts, ...skipped, state].join('\n'), data: { added, skipped, demo } };
        }),
      ),
  ];
}

async function migrations(db: Database) {
  const all = await listMigrations(db);
  return [
    all.map(({ name, executedAt }) => ({
      state: executedAt === undefined ? 'pending' : 'applied',
      name,
      applied_at: executedAt ?? null,
    })),
  ];
}
