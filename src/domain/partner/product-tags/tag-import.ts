import { sql } from 'kysely';
import { anyOf } from '../../../platform/database/any-of.ts';
import { type FileRecord, id, idList, name } from '../../import/columns.ts';
import type { Mistakes } from '../../import/mistakes.ts';
import { advanceSequence, type ImportOptions, inBatches, rejectRepeatedIds } from '../../import/rows.ts';
import type { Database } from '../../tables.ts';
import { maxItems, nameLength } from './product-tag.service.ts';

/** The columns of a file of tags. */
export const tagFileColumns = {
  id,
  name_en: name(nameLength),
  name_ar: name(nameLength).nullable(),
  item_ids: idList.nullable().transform((ids) => ids ?? []),
};

/** Ids that one mistake names. */
const shownIds = 10;

type FileTag = FileRecord<typeof tagFileColumns>;

/** Adds tags with their ids and items in a transaction; throws before writing when there is any mistake. */
export async function importTags(
  transaction: Database,
  records: FileTag[],
  mistakes: Mistakes,
  options: ImportOptions,
): Promise<{ added: number; links: number }> {
  const { company, dryRun } = options;
  rejectRepeatedIds(records, mistakes);
  await rejectTakenIds(transaction, records, mistakes);
  await rejectItems(transaction, records, mistakes, company);
  mistakes.ensureNone();
  const counts = { added: records.length, links: records.reduce((sum, { item_ids }) => sum + item_ids.length, 0) };
  if (dryRun) return counts;

  // First: tags that partners create meanwhile have other ids. A rollback leaves a gap.
  const highest = records.reduce((max, { id }) => Math.max(max, id), 0);
  await advanceSequence(transaction, 'product_tags', highest);
  await inBatches(records, options, async (tags) => {
    const file = sql`json_to_recordset(${JSON.stringify(tags)}::json)
      as file (id integer, name_en text, name_ar text, item_ids integer[])`;
    await sql`insert into product_tags (id, company_id, name_en, name_ar)
      select id, ${company}, name_en, name_ar from ${file}`.execute(transaction);
    await sql`insert into product_taggings (company_id, product_tag_id, item_id)
      select ${company}, id, unnest(item_ids) from ${file}`.execute(transaction);
  });
  return counts;
}

async function rejectTakenIds(transaction: Database, records: FileTag[], mistakes: Mistakes): Promise<void> {
  const tags = await transaction
    .selectFrom('productTags')
    .select(['id', 'companyId'])
    .where('id', '=', anyOf(records.map(({ id }) => id)))
    .execute();
  const owners = new Map(tags.map(({ id, companyId }) => [id, companyId]));
  for (const { id, line } of records) {
    const owner = owners.get(id);
    if (owner) mistakes.add({ line, column: 'id', message: `${id} is a tag of company ${owner} already` });
  }
}

async function rejectItems(
  transaction: Database,
  records: FileTag[],
  mistakes: Mistakes,
  companyId: number,
): Promise<void> {
  const wanted = new Set(records.flatMap(({ item_ids }) => item_ids));
  const items = await transaction
    .selectFrom('items')
    .select(['id', 'itemType'])
    .where('companyId', '=', companyId)
    .where('id', '=', anyOf([...wanted]))
    .execute();
  const types = new Map(items.map(({ id, itemType }) => [id, itemType]));
  for (const { item_ids, line } of records) {
    const reject = (message: string) => mistakes.add({ line, column: 'item_ids', message });
    if (item_ids.length > maxItems) reject(`has ${item_ids.length} items; a tag may have ${maxItems}`);
    const unknown = item_ids.filter((item) => !types.has(item)).slice(0, shownIds);
    const others = item_ids.filter((item) => types.has(item) && types.get(item) !== 'product').slice(0, shownIds);
    if (unknown.length > 0) reject(`not items of the company: ${unknown.join(', ')}`);
    if (others.length > 0) reject(`only products can be tagged. Not products: ${others.join(', ')}`);
  }
}

/** All tags of a company with the ids of their items, by id. */
export async function listAllTags(db: Database, companyId: number) {
  const { rows } = await sql<{ id: number; nameEn: string; nameAr: string | null; itemIds: number[] }>`
    select id, name_en, name_ar, array(
      select item_id from product_taggings
      where product_taggings.company_id = ${companyId} and product_tag_id = product_tags.id order by item_id
    ) as item_ids
    from product_tags where company_id = ${companyId} order by id`.execute(db);
  return rows;
}
