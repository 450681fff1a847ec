import { sql } from 'kysely';
import { id, idList, names, optional } from '../../files/columns.ts';
import type { FileFormat } from '../../files/file-format.ts';
import { maxItems, nameLength } from './product-tags.queries.ts';

const { name_en, name_ar } = names(nameLength);

export const productTagFile: FileFormat = {
  table: 'product_tags',
  columns: { id: optional(id), company_id: id, name_en, name_ar: optional(name_ar), item_ids: optional(idList) },
  references: { company_id: 'companies' },
  links: { column: 'item_ids', table: 'product_taggings', owner: 'product_tag_id', target: 'item_id' },
  isDeletable: true,
  rules: [
    sql`select line, 'item_ids', format('has %s items; the maximum is ${sql.lit(maxItems)}', cardinality(item_ids))
      from file where cardinality(item_ids) > ${sql.lit(maxItems)}`,
    sql`select line, 'item_ids', format('%s is not a product of the company', item_id)
      from (select line, company_id, unnest(item_ids) as item_id from file) as requested
      where not exists (select from items
        where items.company_id = requested.company_id and items.id = requested.item_id and item_type = 'product')`,
  ],
};
