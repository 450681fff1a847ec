import { hashToken } from '../src/kernel/token.ts';
import { withClient } from './databases.ts';
import type { Build } from './service.ts';

/** A page of a list, and the median of three times in ms. */
export interface ListTime {
  page: string;
  ms: number;
}

const token = 'pp_lists_of_the_benchmark';

const items: Record<string, string[]> = {
  itemType: ['PRODUCT', 'MODIFIER'],
  search: ['"none"', '"tem 1"'],
  tagged: ['true', 'false'],
  productTagIds: ['$rare'],
  exceptProductTagIds: ['$many'],
  updatedAfter: ['"2000-01-01T00:00:00Z"', '"2100-01-01T00:00:00Z"'],
  orderBy: ['NAME_EN', 'NAME_AR'],
  reverse: ['true'],
};

const productTags: Record<string, string[]> = {
  search: ['"none"', '"ag 1"'],
  updatedAfter: ['"2000-01-01T00:00:00Z"', '"2100-01-01T00:00:00Z"'],
  orderBy: ['NAME_EN', 'NAME_AR', 'ITEM_COUNT'],
  reverse: ['true'],
};

/** Reads a page of a list with each combination of its arguments, in a company of its own: the plain page, then the slowest. */
export async function measureLists(
  { data, server }: Build,
  size: number,
  onSlow: (page: string) => void,
): Promise<ListTime[]> {
  const tagIds = await loadCompany(data.url, size);
  const ids: Record<string, string> = { $rare: `[${tagIds.slice(-1)}]`, $many: `[${tagIds.slice(0, 100)}]` };
  const time = async (page: string): Promise<ListTime> => {
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const start = performance.now();
      const response = await fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query: `{ ${page.replace(/\$\w+/g, (name) => ids[name] ?? name)} { nodes { id } } }` }),
      });
      const text = await response.text();
      // One that takes longer than the deadline is among the slowest.
      if (text.includes('"errors"') && response.status !== 503 && !text.includes('SERVICE_UNAVAILABLE'))
        throw new Error(`${page}: ${text}`);
      times.push(performance.now() - start);
    }
    const ms = times.toSorted((a, b) => a - b)[1] ?? Number.NaN;
    if (ms > 200) onSlow(`${page}: ${Math.round(ms)} ms`);
    return { page, ms };
  };
  const plain = await time('items');
  const all: ListTime[] = [];
  for (const page of [...combine('items', items), ...combine('productTags', productTags)]) all.push(await time(page));
  return [plain, ...all.toSorted((a, b) => b.ms - a.ms).slice(0, 10)];
}

/** The list with each combination of its arguments. */
function combine(list: string, args: Record<string, string[]>): string[] {
  const combinations = Object.entries(args).reduce<string[][]>(
    (found, [name, values]) =>
      found.flatMap((each) => [each, ...values.map((value) => [...each, `${name}: ${value}`])]),
    [[]],
  );
  return combinations.map((each) => (each.length === 0 ? list : `${list}(${each.join(', ')})`));
}

/** Adds a company with items, a tag for every hundred of them, and two tags for most items. Returns the ids of its tags. */
async function loadCompany(url: string, size: number): Promise<number[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ id: number; companyId: number }>(
      `with company as (
        insert into companies (name_en, name_ar, city_id)
        select 'Lists', 'قوائم', min(id) from cities returning id
      )
      insert into partners (name, default_company_id) select 'Lists', id from company
      returning id, default_company_id as "companyId"`,
    );
    const [{ id = 0, companyId = 0 } = {}] = rows;
    await client.query('insert into partner_tokens (partner_id, token_hash) values ($1, $2)', [id, hashToken(token)]);
    await client.query(
      `insert into items (company_id, item_type, name_en, name_ar)
      select $1, case when n % 100 = 0 then 'modifier' else 'product' end, 'Item ' || n, 'صنف ' || n
      from generate_series(1, $2::integer) n`,
      [companyId, size],
    );
    await client.query(
      `insert into product_tags (company_id, name_en) select $1, 'Tag ' || n from generate_series(1, $2::integer) n`,
      [companyId, Math.ceil(size / 100)],
    );
    await client.query(
      `insert into product_taggings (company_id, product_tag_id, item_id)
      select $1, tag.id, item.id
      from (select id, row_number() over (order by id) n from items where company_id = $1 and item_type = 'product') item
      join (select id, row_number() over (order by id) n, count(*) over () total from product_tags
        where company_id = $1) tag on tag.n in (item.n % (total - 1), (item.n * 7) % (total - 1))
      where item.n % 10 > 0`,
      [companyId],
    );
    await client.query('analyze items, product_tags, product_taggings');
    const tags = await client.query<{ id: number }>('select id from product_tags where company_id = $1 order by id', [
      companyId,
    ]);
    return tags.rows.map((row) => row.id);
  });
}
