import { sql } from 'kysely';
import { id, names, oneOf, optional } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import { itemTypes } from '../../tables.ts';

export const itemFile: FileFormat = {
  table: 'items',
  columns: { id: optional(id), company_id: id, item_type: oneOf(itemTypes), ...names() },
  references: { company_id: 'companies' },
  isDeletable: true,
  keyColumn: 'item_type',
  rules: [
    sql`select line, 'item_type', 'a tagged item must remain a product'
      from file
      where item_type <> 'product' and exists (
        select from product_taggings as link where link.company_id = file.company_id and item_id = file.id
      )`,
    // Rejects a second import of a file without ids.
    sql`select line, null, format('is the same as line %s; to add it, give it an id', first)
      from (
        select line, min(line) over (partition by company_id, item_type, name_en, name_ar) as first
        from file where id is null
      ) as duplicate
      where line > first`,
    sql`select distinct on (line) line, null, format('is the same as item %s; to add it, give it an id', items.id)
      from file join items using (company_id, item_type, name_en, name_ar)
      where file.id is null`,
  ],
};
