import { sql } from 'kysely';
import { companyId, id, idList, names, optional, text } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { maxItems, nameLength } from './product-tag.service.ts';

const shownIds = 10;

const { name_en, name_ar } = names(nameLength);

const row = { id, company_id: companyId, name_en, name_ar: optional(name_ar) };

const version = text((value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value), 'a UUID');

const joined = sql`array_to_string((array_agg(item_id order by item_id))[:${sql.lit(shownIds)}], ', ')`;

export const productTagFile: FileKind = {
  file: 'tags',
  table: 'product_tags',
  one: 'a tag',
  columns: {
    ...row,
    item_ids: optional(idList, `products of the company: ${idList.description}`),
    // Exports have it. Another tag with this version would accept updates that were made for other content.
    version: optional(version, 'ignored, as imported tags get new versions'),
  },
  written: Object.keys(row),
  references: { company_id: { table: 'companies', one: 'company' } },
  links: { column: 'item_ids', table: 'product_taggings', owner: 'product_tag_id', target: 'item_id' },
  rules: [
    sql`select line, 'item_ids', 'has more than ${sql.lit(maxItems)} items', format('has %s items', cardinality(item_ids))
      from file where cardinality(item_ids) > ${sql.lit(maxItems)}`,
    sql`select line, 'item_ids',
        case when item_type is null then 'has ids that are not items of the company' else 'only products can be tagged' end,
        case when item_type is null then 'not items of the company: ' else 'not products: ' end || ${joined}
      from (select line, company_id, unnest(item_ids) as item_id from file) as wanted
        left join items on items.company_id = wanted.company_id and items.id = wanted.item_id
      where item_type is distinct from 'product' group by line, item_type is null, item_type`,
  ],
};
