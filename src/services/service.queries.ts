import type { Selectable } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ServicesTable } from './service.table.ts';

/** Every service, by id. */
export async function listServices(db: Database): Promise<Selectable<ServicesTable>[]> {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id').execute();
}
