import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { hashToken } from '../src/kernel/token.ts';
import { withClient } from './databases.ts';
import type { Build } from './service.ts';

/** A request that is sent again and again; `{n}` in its path or its text is another number each time. */
interface Repeated {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** Requests of one caller on several connections of one address, or of several callers on one each. */
interface Attack {
  name: string;
  requests: Repeated[];
  connections: number;
}

/** What others wait beside an attack, in ms. */
export interface Waits {
  p50: number;
  p95: number;
  max: number;
  /** Responses that are not what was asked for. */
  errors: number;
}

export interface Worst {
  attack: string;
  /** The attack's own responses by status. */
  statuses: Record<string, number>;
  /** A small read of another partner, and an uncached GraphQL read of another address without a token. */
  partner: Waits;
  stranger: Waits;
}

const maxItems = 10_000;
const partners = 40;

/** Sends the worst operations that the service accepts, and measures what others wait beside each. */
export async function measureWorst({ data, server }: Build, seconds: number): Promise<Worst[]> {
  const callers = await withClient(data.url, async (client) => {
    const tokens = Array.from({ length: partners + 2 }, (_, index) => `pp_worst_of_the_benchmark_${index}`);
    const { rows } = await client.query<{ id: number; companyId: number }>(
      `with company as (
        insert into companies (name_en, name_ar, city_id)
        select 'Worst', 'أسوأ', (select min(id) from cities) from generate_series(1, $1) returning id
      )
      insert into partners (name, default_company_id) select 'Worst ' || id, id from company
      returning id, default_company_id as "companyId"`,
      [tokens.length],
    );
    for (const [index, { id }] of rows.entries()) {
      const values = [id, hashToken(tokens[index] as string)];
      await client.query('insert into partner_tokens (partner_id, token_hash) values ($1, $2)', values);
    }
    // The first has 10,000 products, the others a full page; the first hundred products have a hundred tags.
    await client.query(
      `insert into items (company_id, item_type, name_en, name_ar)
      select company, 'product', 'Item ' || n, 'صنف ' || n
      from unnest($1::integer[]) company, generate_series(1, case when company = $2 then ${maxItems} else 100 end) n`,
      [rows.map(({ companyId }) => companyId), rows[0]?.companyId],
    );
    await client.query(
      `insert into product_tags (company_id, name_en) select company, 'Tag ' || n
      from unnest($1::integer[]) company, generate_series(1, 100) n`,
      [rows.map(({ companyId }) => companyId)],
    );
    await client.query(
      `insert into product_taggings (company_id, product_tag_id, item_id)
      select company_id, tag.id, item.id
      from (select *, row_number() over (partition by company_id order by id) n from product_tags) tag
      join (select *, row_number() over (partition by company_id order by id) n from items) item using (company_id)
      where company_id = any($1) and (item.n <= 100 or tag.n <= 9)`,
      [rows.map(({ companyId }) => companyId)],
    );
    await client.query('analyze items, product_tags, product_taggings');
    return rows.map((row, index) => ({ ...row, token: tokens[index] as string }));
  });
  const [attacker, bystander, ...many] = callers;
  if (attacker === undefined || bystander === undefined) throw new Error('two companies are needed');
  const [itemIds, [tagId = 0] = []] = await listIds(data.url, attacker.companyId);
  const partner = graphql('{ items(first: 5) { nodes { id nameEn } } } # {n}', bystander.token);
  const stranger = graphql('{ services { id code nameEn } } # {n}');
  const results: Worst[] = [];
  for (const { name, requests, connections } of listAttacks(attacker, itemIds, tagId, many)) {
    await requireAccepted(server.url, name, requests);
    const workerData = { url: server.url, requests, connections, ms: 1_000 * seconds } satisfies WorkerData;
    const worker = new Worker(new URL(import.meta.url), { workerData });
    const ended = once(worker, 'message') as Promise<[Worst['statuses']]>;
    let isOver = false;
    const end = ended.finally(() => {
      isOver = true;
    });
    const watch = (each: Repeated, address: string) => measureWaits(server.url, each, address, () => isOver);
    const [[statuses], ofPartner, ofStranger] = await Promise.all([
      end,
      watch(partner, '127.0.0.3'),
      watch(stranger, '127.0.0.4'),
    ]);
    results.push({ attack: name, statuses, partner: ofPartner, stranger: ofStranger });
    // What the attack has left ends first.
    await setTimeout(500);
  }
  return results;
}

/** A rejection would be quick, and take nothing from others. */
async function requireAccepted(url: string, name: string, requests: Repeated[]): Promise<void> {
  const agent = new Agent();
  for (const request of requests) {
    const { status, text } = await exchange(url, request, agent, 0);
    if (status !== '200' || text.startsWith('{"errors"')) throw new Error(`${name}: rejected with ${status} ${text}`);
  }
  agent.destroy();
}

interface Caller {
  companyId: number;
  token: string;
}

async function listIds(url: string, companyId: number): Promise<[itemIds: number[], tagIds: number[]]> {
  return withClient(url, async (client) => {
    const list = async (table: string) => {
      const text = `select id from ${table} where company_id = $1 order by id`;
      return (await client.query<{ id: number }>(text, [companyId])).rows.map(({ id }) => id);
    };
    return [await list('items'), await list('product_tags')];
  });
}

function listAttacks({ token }: Caller, itemIds: number[], tagId: number, many: Caller[]): Attack[] {
  const times = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => text(index)).join(' ');
  const aliases = times(50, (index) => `a${index}: name`);
  const types = '{ types { name fields { name description type { name } } } }';
  const introspection = (count: number) => `{ ${times(count, (index) => `a${index}: __schema ${types}`)} } # {n}`;
  const page = (tags: number) =>
    `{ items(first: 100) { nodes { id tags(first: ${tags}) { nodes { id name nameEn } } } } } # {n}`;
  const unknown = Array.from({ length: 9_900 }, (_, index) => 2_000_000_000 + index);
  const creation =
    'mutation ($ids: [Int!]!) { createProductTag(input: { nameEn: "Many", itemIds: $ids }) { userErrors { code itemIds } } }';
  const long = JSON.stringify({
    query: '{ items(first: 1) { nodes { id } } }',
    variables: { unused: 'A'.repeat(510_000) },
  });
  const tag = `/partner_portal/v1/product_tags/${tagId}`;
  const authorized = (type: string) => ({ authorization: `Bearer ${token}`, 'content-type': type });
  const part = (name: string, value: number | string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const put = (type: string, body: string): Repeated => ({ method: 'PUT', path: tag, headers: authorized(type), body });
  const parts = `${part('name_en', 'Parts')}${itemIds
    .slice(0, 998)
    .map((id) => part('item_ids[]', id))
    .join('')}--x--\r\n`;
  const form = `name_en=Form&${itemIds.map((id) => `item_ids[]=${id}`).join('&')}`;
  const byOne = (name: string, request: Repeated, connections = 32) => ({ name, requests: [request], connections });
  return [
    byOne('none', { method: 'GET', path: '/livez', headers: {} }, 1),
    byOne('introspection', graphql(introspection(7), token)),
    byOne(
      '50 times `partner { id }` under each of 3 names',
      graphql(`{ ${times(3, (index) => `a${index}: partner { id } `.repeat(50))} } # {n}`, token),
    ),
    byOne(
      '50 aliases of `name` in each of 6 objects',
      graphql(`{ ${times(6, (index) => `p${index}: partner { ${aliases} }`)} } # {n}`, token),
    ),
    byOne('9,900 unknown ids in variables', graphql(creation, token, { ids: unknown })),
    byOne('pages of 100 items with 100 tags', graphql(page(100), token)),
    byOne('`itemIds` of 9 tags with 10,000', graphql('{ productTags(first: 9) { nodes { itemIds } } } # {n}', token)),
    byOne('PUT of 10,000 ids', put('application/json', JSON.stringify({ name_en: 'Put', item_ids: itemIds }))),
    byOne('a GraphQL body of 510 kB, compressed', {
      ...graphql('', token),
      headers: { ...authorized('application/json'), 'content-encoding': 'gzip' },
      body: gzipSync(long),
    }),
    byOne('multipart of 999 parts', put('multipart/form-data; boundary=x', parts)),
    byOne('a form of 10,000 ids', put('application/x-www-form-urlencoded', form)),
    byOne('a search', graphql('{ items(first: 100, search: "tem 1") { nodes { id name } } } # {n}', token)),
    byOne('a count', graphql('{ items(search: "tem 1") { totalCount } } # {n}', token)),
    byOne('strangers: introspection', graphql(introspection(7)), 34),
    byOne(
      'strangers: cities with their countries',
      graphql(`{ ${times(3, (index) => `a${index}: cities { id nameEn nameAr country { nameAr dialCode } }`)} } # {n}`),
      34,
    ),
    byOne(
      'strangers: REST reads',
      { method: 'GET', path: '/partner_portal/v1/lookups?brand_types={n}&cuisine_types=-1', headers: {} },
      34,
    ),
    {
      name: '40 partners: pages of 100 items with 60 tags',
      requests: many.map((each) => graphql(page(60), each.token)),
      connections: partners,
    },
  ];
}

function graphql(query: string, token?: string, variables?: object): Repeated {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  };
}

/** Sends a request repeatedly until the attack is over. */
async function measureWaits(
  url: string,
  request: Repeated,
  localAddress: string,
  isOver: () => boolean,
): Promise<Waits> {
  const agent = new Agent({ keepAlive: true, localAddress });
  const waits: number[] = [];
  let errors = 0;
  for (let count = 0; !isOver(); count += 1) {
    const start = performance.now();
    const { status, text } = await exchange(url, request, agent, count).catch(() => ({ status: 'none', text: '' }));
    waits.push(performance.now() - start);
    if (status !== '200' || text.includes('"errors"')) errors += 1;
    await setTimeout(20);
  }
  agent.destroy();
  const sorted = waits.toSorted((a, b) => a - b);
  const quantile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: quantile(0.5), p95: quantile(0.95), max: quantile(1), errors };
}

async function exchange(url: string, { method, path, headers, body }: Repeated, agent: Agent, count: number) {
  const numbered = (text: string) => text.replace('{n}', String(count));
  const bytes = typeof body === 'string' ? Buffer.from(numbered(body)) : body;
  const sent = httpRequest(new URL(numbered(path), url), {
    method,
    agent,
    headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
  });
  sent.end(bytes);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // Only the small responses of others are read as texts.
  let text = '';
  for await (const chunk of response) if (text.length < 1_000) text += chunk.toString();
  return { status: String(response.statusCode), text };
}

interface WorkerData extends Pick<Attack, 'requests' | 'connections'> {
  url: string;
  ms: number;
}

if (!isMainThread) await attack(workerData);

async function attack({ url, requests, connections, ms }: WorkerData): Promise<void> {
  const statuses: Worst['statuses'] = {};
  const end = performance.now() + ms;
  let count = 0;
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.2', maxSockets: connections });
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      while (performance.now() < end) {
        count += 1;
        const request = requests[index % requests.length] as Repeated;
        const { status, text } = await exchange(url, request, agent, count).catch(() => ({ status: 'none', text: '' }));
        const outcome = text.startsWith('{"errors"') ? `${status} with errors` : status;
        statuses[outcome] = (statuses[outcome] ?? 0) + 1;
      }
    }),
  );
  agent.destroy();
  parentPort?.postMessage(statuses);
}
