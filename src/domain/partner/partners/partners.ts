import { type Insertable, type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { normalizeName } from '../../../kernel/localization/name.ts';
import { anyDiffers, anyId } from '../../../platform/database/queries.ts';
import { id, name, optional, time } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import { rowsById, type TenantKeys } from '../../lists/batches.ts';
import type { Partners } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import { liveCondition } from '../tokens/tokens.ts';

export const partnersById = rowsById((db, { keys }: TenantKeys) =>
  db.selectFrom('partners').select(['id', 'name']).where('id', '=', anyId(keys)).execute(),
);

/** Returns the id. Throws an OperatorError if the name is taken. */
export async function insertPartner(db: Database, partner: Insertable<Partners>): Promise<number> {
  await ensureNameIsFree(db, partner.name);
  const { id } = await db.insertInto('partners').values(partner).returning('id').executeTakeFirstOrThrow();
  return id;
}

type Changes = { name?: string; suspendedAt?: RawBuilder<Date> | null };

/** Returns whether anything changed. Throws an OperatorError if the new name is taken. */
export async function updatePartner(db: Database, id: number, changes: Changes): Promise<boolean> {
  if (changes.name !== undefined) await ensureNameIsFree(db, changes.name, id);
  const update = db.updateTable('partners').set(changes).where('id', '=', id).where(anyDiffers(changes));
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Suspending twice keeps the first time. */
export function toSuspendedAt(isSuspended: boolean): RawBuilder<Date> | null {
  return isSuspended ? sql<Date>`least(suspended_at, now())` : null;
}

async function ensureNameIsFree(db: Database, name: string, id = 0): Promise<void> {
  const others = db.selectFrom('partners').select('id').where('name', '=', name).where('id', '<>', id);
  const other = await others.executeTakeFirst();
  if (other !== undefined) throw new OperatorError(`A partner named "${name}" already exists. Choose another name.`);
}

/** By id or name; an id wins. Throws an OperatorError for an unknown partner. */
export async function getPartner(db: Database, input: string): Promise<{ id: number; name: string }> {
  const idOrName = normalizeName(input);
  return db
    .selectFrom('partners')
    .select(['id', 'name'])
    .where(sql<boolean>`${idOrName} in (id::text, name)`)
    .orderBy(sql`id::text = ${idOrName}`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(
      () => new OperatorError(`There is no partner "${idOrName}". Run partner list to see them.`),
    );
}

export async function listPartners(db: Database) {
  return db
    .selectFrom('partners')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .leftJoin('partnerTokens', (join) => join.onRef('partnerTokens.partnerId', '=', 'partners.id').on(liveCondition))
    .select([
      'partners.id',
      'partners.name',
      sql<number>`count(partner_tokens.id)::integer`.as('liveTokens'),
      'companies.id as companyId',
      'companies.nameEn as companyName',
      'partners.suspendedAt',
    ])
    .groupBy(['partners.id', 'companies.id'])
    .orderBy('partners.id')
    .execute();
}

export const partnerFile: FileFormat = {
  table: 'partners',
  columns: { id: optional(id), name: name(), default_company_id: id, suspended_at: optional(time) },
  references: { default_company_id: 'companies' },
};
