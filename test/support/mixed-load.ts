import { randomUUID } from 'node:crypto';
import type { GatewayCluster } from './gateway-cluster.ts';
import { type PacedOutcome, startPacedLoad } from './paced-load.ts';
import { persisted, persistedBody } from './persisted-query.ts';
import { TagLedger } from './tag-ledger.ts';
import { createTenant } from './tenant.ts';

/** Requests a second. */
const readRate = 160;
const writeRate = 50;

const services = '{ services { id name } }';
const viewer = '{ viewer { partner { name } items(first: 5) { nodes { id } } } }';
const create =
  'mutation ($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } userErrors { code } } }';

export interface MixedLoad {
  /** Sends no more; resolves to what came of all, when the last is answered. */
  stop(): Promise<{ reads: PacedOutcome[]; writes: PacedOutcome[] }>;
  /** How many writes were acknowledged so far. */
  acknowledged(): number;
  /** What of the acknowledged writes is not in the database. */
  findLost(): Promise<string[]>;
}

/** 210 requests a second through the balancer: reads as GET and writes, of both surfaces, of a public and a partner's kind. */
export async function startMixedLoad({ client, db, tenant, url }: GatewayCluster): Promise<MixedLoad> {
  const other = await createTenant(db);
  const ledger = new TagLedger(client, tenant);
  const created: number[] = [];
  await client.fetch('POST', '/graphql', persisted(services, { query: services }));

  const get =
    (path: string, headers = {}) =>
    async () => {
      const response = await fetch(url + path, { headers });
      await response.arrayBuffer();
      return response;
    };
  const extensions = JSON.stringify(persistedBody(services).extensions);
  const authorization = { Authorization: `Bearer ${other.token}` };
  const reads = [
    get('/partner_portal/v1/countries'),
    get('/partner_portal/v1/lookups?brand_types=1&week_days=1', { 'Accept-Language': 'ar' }),
    get('/partner_portal/v1/cities?country_id=682', authorization),
    get(`/graphql?${new URLSearchParams({ extensions })}`),
    get(`/graphql?${new URLSearchParams({ query: viewer })}`, authorization),
  ];

  // One write at a time of each worker, as its ledger needs.
  const idle: number[] = [];
  let workers = 0;
  const overRest = async () => {
    const worker = idle.pop() ?? workers++;
    try {
      return await ledger.write(worker);
    } finally {
      idle.push(worker);
    }
  };
  const overGraphQL = async () => {
    const input = { nameEn: `Tag ${randomUUID()}`, itemIds: other.products };
    const answer = await client.graphql(
      create,
      { input },
      { token: other.token, headers: { 'Idempotency-Key': randomUUID() } },
    );
    const id = answer.body.data?.createProductTag.productTag?.id;
    if (id !== undefined) created.push(id);
    return answer;
  };

  const reading = startPacedLoad(readRate, reads);
  const writing = startPacedLoad(writeRate, [overRest, overRest, overGraphQL]);
  return {
    async stop() {
      const [read, written] = await Promise.all([reading.stop(), writing.stop()]);
      return { reads: read, writes: written };
    },
    acknowledged: () => ledger.acknowledged + created.length,
    async findLost() {
      const tags = await db.selectFrom('productTags').select('id').where('companyId', '=', other.companyId).execute();
      const found = new Set(tags.map(({ id }) => id));
      const lost = created.filter((id) => !found.has(id)).map((id) => `tag ${id} is gone`);
      return [...lost, ...(await ledger.findLost(db))];
    },
  };
}
