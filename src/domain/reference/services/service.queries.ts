import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import type { Database } from '../../tables.ts';

export function selectServices(db: Database) {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id');
}

/** Finds the ids of services by code. Throws an OperatorError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await selectServices(db).execute();
  return [...new Set(codes)].map((code) => {
    const service = services.find((each) => each.code === code);
    if (service !== undefined) return service.id;
    throw new OperatorError(
      `There is no service "${code}". The services are ${services.map((each) => each.code).join(', ')}.`,
    );
  });
}
