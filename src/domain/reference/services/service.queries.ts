import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type ReferenceKeys, rowsById, rowsInOrder } from '../../request/batches.ts';
import type { Database } from '../../tables.ts';

function selectServices(db: Database) {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id');
}

export const servicesById = rowsById((db, { keys }: ReferenceKeys) =>
  selectServices(db).where('id', '=', anyOf(keys)).execute(),
);

export function listServices(db: Database) {
  return selectServices(db).execute();
}

export const servicesInOrder = rowsInOrder(listServices);

/** Finds the ids of services by code. Throws an OperatorError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await listServices(db);
  return [...new Set(codes)].map((code) => {
    const service = services.find((each) => each.code === code);
    if (service !== undefined) return service.id;
    throw new OperatorError(
      `There is no service "${code}". The services are ${services.map((each) => each.code).join(', ')}.`,
    );
  });
}
