import { query, runAdmin, withClient } from './databases.ts';

/** Data for building the requests. */
export interface Data {
  url: string;
  companyId: number;
  token: string;
  /** Ids of the company's products and tags, ascending. */
  productIds: number[];
  tagIds: number[];
  items: number;
}

const partner = 'Bench Partner';
const companies = 100;

// The company of the token has a tenth of all rows. Rows of companies are interleaved, as in production.
const companySql = (n: string) => `first_company + case when ${n} % 10 = 0 then 0 else 1 + ${n} % ${companies - 1} end`;

/** Fills a migrated and seeded database, and issues a token for the partner of the largest company. */
export async function loadData(url: string, buildRoot: string, items: number): Promise<Data> {
  await withClient(url, async (client) => {
    // Turns foreign keys off: checking millions of rows would take minutes, and the rows are consistent.
    await client.query('set session_replication_role = replica');
    await client.query(`
      insert into companies (name_en, name_ar, city_id)
      select 'Company ' || n, 'شركة ' || n, (select min(id) from cities) from generate_series(1, ${companies}) n`);
    const company = '(select min(id) from companies) as first (first_company)';
    await client.query(`insert into partners (name, default_company_id) select '${partner}', min(id) from companies`);
    await client.query(`
      insert into items (company_id, item_type, name_en, name_ar)
      select ${companySql('n')}, 'product', 'Item ' || n, 'صنف ' || n
      from generate_series(1, ${items}) n, ${company} order by n`);
    await client.query(`
      insert into product_tags (company_id, name_en, name_ar)
        select ${companySql('n')}, 'Tag ' || n, 'وسم ' || n
        from generate_series(1, ${items / 10}) n, ${company} order by n`);
    await client.query(taggings);
    await client.query('set session_replication_role = origin');
    await client.query('vacuum analyze');
  });
  const token = await runAdmin(buildRoot, url, 'token', 'issue', '--partner', partner);
  return { url, token, items, ...(await describe(url)) };
}

// The n-th item of a company has the tags n, n + 7919 and, in seven of ten cases, n + 15838. They differ because 7919 is prime.
const taggings = `
  with numbered_items as (
    select company_id, id, row_number() over (partition by company_id order by id) as n from items
  ), numbered_tags as (
    select company_id, id, row_number() over (partition by company_id order by id) - 1 as n,
      count(*) over (partition by company_id) as total from product_tags
  ), totals as (
    select company_id, max(total) as total from numbered_tags group by company_id
  )
  insert into product_taggings (company_id, product_tag_id, item_id)
  select company_id, numbered_tags.id, numbered_items.id
  from numbered_items
  join totals using (company_id)
  cross join generate_series(0, 2) k
  join numbered_tags using (company_id)
  where numbered_tags.n = (numbered_items.n + k * 7919) % totals.total and (k < 2 or numbered_items.n % 10 < 7)
  on conflict do nothing`;

async function describe(url: string): Promise<Pick<Data, 'companyId' | 'productIds' | 'tagIds'>> {
  const [row] = await query<Pick<Data, 'companyId' | 'productIds' | 'tagIds'>>(
    url,
    `select id as "companyId",
      (select array_agg(items.id order by items.id) from items where company_id = companies.id) as "productIds",
      (select array_agg(tags.id order by tags.id) from product_tags tags where company_id = companies.id) as "tagIds"
    from companies order by id limit 1`,
  );
  if (row === undefined) throw new Error('nothing was loaded');
  return row;
}
