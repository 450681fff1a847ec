import type { Selectable } from 'kysely';
import type { Database } from '../../tables.ts';
import type { ReferenceSnapshot } from '../reference-snapshot.ts';
import type { ServicesTable } from './service.table.ts';

export type ServiceRow = Selectable<ServicesTable>;

/** Every service, by id. */
export async function serviceListing({ db }: ReferenceSnapshot): Promise<ServiceRow[]> {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id').execute();
}

/** Every service by its id. */
export async function servicesById(snapshot: ReferenceSnapshot): Promise<Map<number, ServiceRow>> {
  return new Map((await snapshot.of(serviceListing)).map((row) => [row.id, row]));
}

/** The ids of the services by their codes. */
export async function listServiceCodes(db: Database): Promise<Map<string, number>> {
  const rows = await db.selectFrom('services').select(['id', 'code']).orderBy('id').execute();
  return new Map(rows.map((row) => [row.code, row.id]));
}
