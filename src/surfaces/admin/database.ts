import type { CommandUnknownOpts } from '@commander-js/extra-typings';
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
      .command('seed', 'fill empty reference lists; existing entries stay as they are', '', '--demo')
      .option('--demo', 'also add the demo partners, unless they are there')
      .action(({ demo = false }) =>
        admin.change(async (db) => {
          await seedReferenceData(db);
          if (demo) await seedDemo(db);
          const text = `Reference data is up to date${demo ? ', demo partners are there' : ''}.`;
          return { text, data: { demo } };
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
