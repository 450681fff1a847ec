import type { Selectable } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Services } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import type { ReferenceSnapshot } from '../reference-data.ts';

export type ServiceRow = Selectable<Services>;

/** Every service, by id. */
export async function serviceListing({ db }: { db: Database }): Promise<ServiceRow[]> {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id').execute();
}

/** Every service by its id. */
export async function servicesById(snapshot: ReferenceSnapshot): Promise<Map<number, ServiceRow>> {
  return new Map((await snapshot.of(serviceListing)).map((row) => [row.id, row]));
}

/** The ids of services by their codes. Throws a StartError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await serviceListing({ db });
  return [...new Set(codes)].map((code) => {
    const service = services.find((each) => each.code === code);
    if (service !== undefined) return service.id;
    throw new StartError(
      `There is no service "${code}". The services are ${services.map((each) => each.code).join(', ')}.`,
    );
  });
}
