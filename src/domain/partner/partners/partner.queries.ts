import { type Insertable, sql } from 'kysely';
import { StartError } from '../../../kernel/errors/start-error.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Partners } from '../../tables.generated.ts';
import type { Database } from '../../tables.ts';
import { type Caller, isLive } from '../tokens/token.queries.ts';

export const selectPartner = statement((db: Database, { partnerId }: Caller) =>
  db.selectFrom('partners').select(['id', 'name']).where('id', '=', partnerId),
);

/** Adds a partner and returns its id. Throws a StartError when another has that name. */
export async function insertPartner(db: Database, partner: Insertable<Partners>): Promise<number> {
  await ensureNameIsFree(db, partner.name);
  const { id } = await db.insertInto('partners').values(partner).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Gives a partner another name. Throws a StartError when another has it. */
export async function renamePartner(db: Database, id: number, name: string): Promise<void> {
  await ensureNameIsFree(db, name, id);
  await db.updateTable('partners').set({ name }).where('id', '=', id).execute();
}

async function ensureNameIsFree(db: Database, name: string, id = 0): Promise<void> {
  const other = await db
    .selectFrom('partners')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst();
  if (other !== undefined) throw new StartError(`There is a partner named "${name}" already. Choose another name.`);
}

/** The partner of an id or a name; a name that is a number counts as an id first. Throws a StartError when there is none. */
export async function getPartner(db: Database, idOrName: string): Promise<{ id: number; name: string }> {
  const id = /^\d{1,9}$/.test(idOrName) ? Number(idOrName) : 0;
  const partner = await db
    .selectFrom('partners')
    .select(['id', 'name'])
    .where((where) => where.or([where('id', '=', id), where('name', '=', idOrName)]))
    .orderBy((order) => order('id', '=', id), 'desc')
    .executeTakeFirst();
  if (partner !== undefined) return partner;
  throw new StartError(`There is no partner "${idOrName}". Run partner list to see the partners.`);
}

/** Every partner by id, with its default company. */
export async function listPartners(db: Database) {
  return db
    .selectFrom('partners')
    .innerJoin('companies', 'companies.id', 'partners.defaultCompanyId')
    .leftJoin('partnerTokens', (join) => join.onRef('partnerTokens.partnerId', '=', 'partners.id').on(isLive))
    .select([
      'partners.id',
      'partners.name',
      sql<number>`count(partner_tokens.id)::integer`.as('liveTokens'),
      'companies.id as companyId',
      'companies.nameEn as companyNameEn',
      'companies.nameAr as companyNameAr',
      'partners.suspendedAt',
    ])
    .groupBy(['partners.id', 'companies.id'])
    .orderBy('partners.id')
    .execute();
}
