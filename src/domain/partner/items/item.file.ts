import { sql } from 'kysely';
import type { z } from 'zod';
import { companyId, isOptional, snakeCased } from '../../files/columns.ts';
import type { FileKind } from '../../files/file-kind.ts';
import { itemCells } from './item.columns.ts';

const { id, ...others } = itemCells;
const cells = snakeCased<z.ZodType>(others);

/** Whether a new item has all values of an existing one, except for the columns that its record lacks. */
const isSame = sql.join(
  Object.entries(cells).map(([column, cell]) => {
    const [item, file] = [sql.ref(`items.${column}`), sql.ref(`file.${column}`)];
    return isOptional(cell)
      ? sql`(${item} is not distinct from ${file} or ${sql.lit(column)} = any(string_to_array(absent, ',')))`
      : sql`${item} = ${file}`;
  }),
  sql` and `,
);

export const itemFile: FileKind = {
  file: 'items',
  table: 'items',
  one: 'an item',
  columns: { id, company_id: companyId, ...cells },
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
      from file join items on items.company_id = file.company_id and ${isSame} where file.id is null group by line`,
  ],
};
