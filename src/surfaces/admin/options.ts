import { InvalidArgumentError } from '@commander-js/extra-typings';
import { hasCompany } from '../../domain/partner/companies/company.queries.ts';
import { findPartner } from '../../domain/partner/partners/partner.queries.ts';
import { findCityId } from '../../domain/reference/cities/city.queries.ts';
import { listServiceCodes } from '../../domain/reference/services/service.queries.ts';
import type { Database } from '../../domain/tables.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import { faultOfName, nameLength, normalizeName } from '../../kernel/localization/name.ts';

const maxId = 2 ** 31 - 1;

export function parseId(text: string): number {
  return parseInteger(text, 1, maxId);
}

/** A number of days; `90d` is 90 too. */
export function parseDays(text: string): number {
  return parseInteger(text.replace(/d$/, ''), 1, 99_999);
}

export function parseCount(text: string): number {
  return parseInteger(text, 1, 1_000_000);
}

/** A name as it is stored. */
export function parseName(text: string): string {
  const name = normalizeName(text);
  if (faultOfName(name, nameLength) === undefined) return name;
  throw new InvalidArgumentError(
    `It must have ${nameLength.min} to ${nameLength.max} visible characters, and no control characters`,
  );
}

/** The column separator of a CSV file. */
export function parseDelimiter(text: string): string {
  if (text === 'tab') return '\t';
  if (/^[^\w\s"]$/u.test(text) || text === '\t') return text;
  throw new InvalidArgumentError('It must be one character, such as ; or the word tab');
}

export function parsePostgresUrl(text: string): string {
  if (/^postgres(ql)?:/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('It must be a postgres:// URL');
}

function parseInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}`);
}

export async function ensureCompany(db: Database, id: number): Promise<void> {
  if (await hasCompany(db, id)) return;
  throw new StartError(`There is no company ${id}. company list shows the companies.`);
}

export async function getPartner(db: Database, idOrName: string): Promise<{ id: number; name: string }> {
  const partner = await findPartner(db, idOrName);
  if (partner !== undefined) return partner;
  throw new StartError(`There is no partner "${idOrName}". partner list shows the partners.`);
}

/** The city of an id or a code. */
export async function getCityId(db: Database, idOrCode: string): Promise<number> {
  const id = await findCityId(db, idOrCode);
  if (id !== undefined) return id;
  throw new StartError(`There is no city "${idOrCode}". city list shows the cities.`);
}

/** The ids of services by their codes. */
export async function getServiceIds(db: Database, codes: string[]): Promise<number[]> {
  const known = await listServiceCodes(db);
  return [...new Set(codes)].map((code) => {
    const id = known.get(code);
    if (id !== undefined) return id;
    throw new StartError(`There is no service "${code}". The services are ${[...known.keys()].join(', ')}.`);
  });
}
