import { hasCompany } from '../../domain/partner/companies/company.queries.ts';
import { findCityId } from '../../domain/reference/cities/city.queries.ts';
import { hasCountry } from '../../domain/reference/countries/country.queries.ts';
import { listServiceCodes } from '../../domain/reference/services/service.queries.ts';
import type { Database } from '../../domain/tables.ts';
import { StartError } from '../../kernel/errors/start-error.ts';

/** Refuses a company that is not there. */
export async function ensureCompany(db: Database, id: number): Promise<void> {
  if (!(await hasCompany(db, id)))
    throw new StartError(`There is no company ${id}. company list shows those there are.`);
}

/** The city of an id or a code; refuses one that is not there. */
export async function getCityId(db: Database, idOrCode: string): Promise<number> {
  const id = await findCityId(db, idOrCode);
  if (id === undefined) throw new StartError(`There is no city "${idOrCode}". city list shows those there are.`);
  return id;
}

/** Refuses a country that is not there, by its code. */
export async function ensureCountry(db: Database, code: string): Promise<void> {
  if (!(await hasCountry(db, code)))
    throw new StartError(`There is no country "${code}". Their codes are those of ISO 3166, two letters.`);
}

/** The ids of services by their codes; refuses one that is not there. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const known = await listServiceCodes(db);
  return [...new Set(codes)].map((code) => {
    const id = known.get(code);
    if (id === undefined) {
      throw new StartError(`There is no service "${code}". There are: ${[...known.keys()].join(', ')}.`);
    }
    return id;
  });
}
