import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listItems } from '../../src/domain/partner/items/item.queries.ts';
import { createTenant } from '../support/tenant.ts';
import { startApp, use } from '../support/test-app.ts';

const app = use(await startApp());

type Plan = { [detail: string]: unknown; Plans?: Plan[] };

/** The number of item rows that a plan read, including those it filtered out. */
function rowsRead(plan: Plan): number {
  const [rows = 0, removed = 0, loops = 0] = ['Actual Rows', 'Rows Removed by Filter', 'Actual Loops'].map((name) =>
    Number(plan[name] ?? 0),
  );
  const own = plan['Relation Name'] === 'items' ? (rows + removed) * loops : 0;
  return (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own);
}

test('a search reads the items of the company, and no others', async () => {
  const [own, other] = [await createTenant(app.db), await createTenant(app.db)];
  // The rows of both companies are interleaved.
  await sql`insert into items (company_id, item_type, name_en, name_ar)
    select case when n % 20 = 0 then ${own.companyId}::integer else ${other.companyId}::integer end, 'product',
      'Item ' || n, 'صنف ' || n
    from generate_series(1, 20000) as n`.execute(app.db);
  await sql`analyze items`.execute(app.db);
  const { companyId } = own;
  const ownItems = await app.db.selectFrom('items').select('id').where('companyId', '=', companyId).execute();

  const search = { companyId, after: 0, limit: 26, itemType: null, tagged: null, search: 'not there' };
  const { name: _, ...query } = listItems.with(search);
  const explain = `explain (analyze, format json) ${query.sql}`;
  const { rows } = await app.db.executeQuery({ ...query, sql: explain });
  const [{ Plan: plan }] = Object.values(rows[0] as object)[0] as [{ Plan: Plan }];
  expect(rowsRead(plan)).toBe(ownItems.length);
});
