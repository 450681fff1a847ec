import { sql } from 'kysely';
import { id, name, oneOf } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { itemTypes } from '../../tables.ts';

const columns = {
  id: id.nullable(),
  company_id: id,
  item_type: oneOf(itemTypes),
  name_en: name(),
  name_ar: name(),
};

export const itemFile: FileKind = {
  table: 'items',
  one: 'an item',
  columns,
  written: Object.keys(columns),
  references: { company_id: { table: 'companies', one: 'company' } },
  rules: [
    sql`select line, 'item_type', format('%s is tagged, so it stays a product', id)
      from file
      where item_type <> 'product' and exists (
        select from product_taggings as link where link.company_id = file.company_id and item_id = file.id
      )`,
    // Rejects a file that was imported before.
    sql`select line, null, format('is the same as item %s; to add it, give it an id', min(items.id))
      from file join items using (company_id, item_type, name_en, name_ar) where file.id is null group by line`,
  ],
};
