import { sql } from 'kysely';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Database } from '../../tables.ts';
import applications from './reference/applications.json' with { type: 'json' };
import brandTypes from './reference/brand-types.json' with { type: 'json' };
import cities from './reference/cities.json' with { type: 'json' };
import countries from './reference/countries.json' with { type: 'json' };
import cuisineTypes from './reference/cuisine-types.json' with { type: 'json' };
import services from './reference/services.json' with { type: 'json' };
import timezones from './reference/timezones.json' with { type: 'json' };

type ReferenceTable =
  | 'applications'
  | 'brandTypes'
  | 'cities'
  | 'countries'
  | 'cuisineTypes'
  | 'services'
  | 'timezones';

/** Brings the reference tables to the shipped data: ids are permanent, unchanged rows are not touched, none is deleted. */
export async function seedReferenceData(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    await upsert(transaction, 'countries', countries);
    await upsert(transaction, 'cities', cities);
    await upsert(transaction, 'timezones', timezones);
    await upsert(transaction, 'services', services);
    await upsert(transaction, 'brandTypes', brandTypes);
    await upsert(transaction, 'cuisineTypes', cuisineTypes);
    await upsert(transaction, 'applications', applications);
  });
}

async function upsert(transaction: Database, table: ReferenceTable, rows: Record<string, unknown>[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
  const current = sql.join(columns.map((column) => sql.ref(`${table}.${column}`)));
  const shipped = sql.join(columns.map((column) => sql.ref(`excluded.${column}`)));
  await transaction
    .insertInto(table)
    .values(rows as never)
    .onConflict((conflict) =>
      conflict
        .column('id' as never)
        .doUpdateSet(Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])))
        .where(sql<boolean>`(${current}) is distinct from (${shipped})`),
    )
    .execute();
}
