import type { Selectable } from 'kysely';
import type { ReferenceSnapshot } from '../reference-data/reference-snapshot.ts';
import type { ServicesTable } from './service.table.ts';

export type ServiceRow = Selectable<ServicesTable>;

/** Every service, by id. */
export async function serviceListing({ db }: ReferenceSnapshot): Promise<ServiceRow[]> {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id').execute();
}
