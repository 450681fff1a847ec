import { findNamed } from '../../find-named.ts';
import type { Database } from '../../tables.ts';

export function selectServices(db: Database) {
  return db.selectFrom('services').select(['id', 'code', 'nameEn', 'nameAr']).orderBy('id');
}

/** Finds the ids of services by code, in any case. Throws an OperatorError for an unknown code. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const services = await selectServices(db).execute();
  const advice = `The services are ${services.map(({ code }) => code).join(', ')}.`;
  const ids = codes.map((code) => findNamed(services, code, (each) => each.code, { noun: 'service', advice }).id);
  return [...new Set(ids)];
}
