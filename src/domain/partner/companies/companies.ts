import type { Insertable, UpdateObject } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { anyDiffers, anyId } from '../../../platform/database/queries.ts';
import { id, name, names, optional, time } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import { rowsById, type TenantKeys } from '../../lists/batches.ts';
import type { Companies } from '../../tables.generated.ts';
import type { Database, Tables } from '../../tables.ts';

export const companiesById = rowsById((db, { keys }: TenantKeys) =>
  db
    .selectFrom('companies')
    .select(['id', 'nameEn', 'nameAr', 'addressLine', 'cityId'])
    .where('id', '=', anyId(keys))
    .execute(),
);

export async function ensureCompany(db: Database, id: number): Promise<void> {
  const company = await db.selectFrom('companies').select('id').where('id', '=', id).executeTakeFirst();
  if (company === undefined) throw new OperatorError(`There is no company ${id}. Run export companies to see them.`);
}

export async function insertCompany(db: Database, company: Insertable<Companies>): Promise<number> {
  const { id } = await db.insertInto('companies').values(company).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns whether anything changed. Throws an OperatorError for an unknown company. */
export async function updateCompany(db: Database, id: number, changes: UpdateObject<Tables, 'companies'>) {
  await ensureCompany(db, id);
  const update = db.updateTable('companies').set(changes).where('id', '=', id).where(anyDiffers(changes));
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

export const companyFile: FileFormat = {
  table: 'companies',
  columns: { id: optional(id), ...names(), address_line: optional(name()), city_id: id, suspended_at: optional(time) },
  references: { city_id: 'cities' },
};
