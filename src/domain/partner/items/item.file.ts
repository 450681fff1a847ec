import { sql } from 'kysely';
import { companyId, id, names, oneOf, optional } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { itemTypes } from '../../tables.ts';

export const itemFile: FileKind = {
  file: 'items',
  table: 'items',
  one: 'an item',
  columns: {
    id: optional(id, 'a new item gets the next free one; without an id, it must differ from existing items'),
    company_id: companyId,
    item_type: oneOf(itemTypes),
    ...names(),
  },
  references: { company_id: { table: 'companies', one: 'company' } },
  rules: [
    sql`select line, 'item_type', 'is tagged, so it stays a product', format('%s is tagged, so it stays a product', id)
      from file
      where item_type <> 'product' and exists (
        select from product_taggings as link where link.company_id = file.company_id and item_id = file.id
      )`,
    // Rejects a file that was imported before.
    sql`select line, null, 'is the same as an existing item; to add it, give it an id',
        format('is the same as item %s; to add it, give it an id', min(items.id))
      from file join items using (company_id, item_type, name_en, name_ar) where file.id is null group by line`,
  ],
};
