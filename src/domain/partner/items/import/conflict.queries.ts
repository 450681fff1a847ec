import { sql } from 'kysely';
import { type Mistake, Mistakes } from './mistake.ts';
import type { Staging } from './staged-item.queries.ts';

interface Conflict {
  line: number;
  id: number;
  other: number;
  total: number;
}

/** Rows whose id an earlier row has. */
export async function findRepeatedIds(staging: Staging, mistakes: Mistakes): Promise<void> {
  const { rows } = await sql<Conflict>`
    select line, id, other, count(*) over ()::integer as total
    from (select line, id, min(line) over (partition by id) as other from staged_items where id is not null) as staged
    where line > other order by line limit ${Mistakes.kept}`.execute(staging);
  add(mistakes, rows, ({ id, other }) => ({ column: 'id', message: `${id} is on line ${other} already` }));
}

/** Rows whose id is another company's item's, or that of an item that is to stay as it is. */
export async function findTakenIds(
  staging: Staging,
  mistakes: Mistakes,
  companyId: number,
  mayUpdate: boolean,
): Promise<void> {
  const { rows } = await sql<Conflict>`
    select line, staged_items.id, items.company_id as other, count(*) over ()::integer as total
    from staged_items join items on items.id = staged_items.id
    where items.company_id <> ${companyId} or not ${mayUpdate}
    order by line limit ${Mistakes.kept}`.execute(staging);
  add(mistakes, rows, ({ id, other }) => ({
    column: 'id',
    message:
      other === companyId
        ? `${id} is an item already: --update changes the items that there are`
        : `${id} is an item of another company (${other})`,
  }));
}

/** Rows that would make a tagged product something else. */
export async function findTaggedProducts(staging: Staging, mistakes: Mistakes, companyId: number): Promise<void> {
  const { rows } = await sql<Conflict>`
    select line, items.id, 0 as other, count(*) over ()::integer as total
    from staged_items join items on items.id = staged_items.id
    where items.company_id = ${companyId} and items.item_type <> staged_items.item_type and exists (
      select from product_taggings where product_taggings.company_id = ${companyId} and item_id = items.id)
    order by line limit ${Mistakes.kept}`.execute(staging);
  add(mistakes, rows, ({ id }) => ({ column: 'item_type', message: `${id} is tagged, so it stays a product` }));
}

/** Rows without an id that say what an earlier row, or an item of the company, says. */
export async function findRepeats(staging: Staging, mistakes: Mistakes, companyId: number): Promise<void> {
  const advice = 'give an id, or --allow-repeats to have two';
  const lines = await sql<Conflict>`
    select line, other, count(*) over ()::integer as total
    from (select line, id, min(line) over (partition by item_type, name_en, name_ar) as other from staged_items) as staged
    where id is null and line > other order by line limit ${Mistakes.kept}`.execute(staging);
  add(mistakes, lines.rows, ({ other }) => ({ message: `it is the same as line ${other}: ${advice}` }));
  const items = await sql<Conflict>`
    select line, min(items.id) as other, count(*) over ()::integer as total
    from staged_items join items using (item_type, name_en, name_ar)
    where staged_items.id is null and items.company_id = ${companyId}
    group by line order by line limit ${Mistakes.kept}`.execute(staging);
  add(mistakes, items.rows, ({ other }) => ({ message: `it is the same as item ${other}: ${advice}` }));
}

function add(mistakes: Mistakes, rows: Conflict[], tell: (row: Conflict) => Omit<Mistake, 'line'>): void {
  mistakes.addOf(
    rows.map((row) => ({ line: row.line, ...tell(row) })),
    rows[0]?.total ?? 0,
  );
}
