import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GatewayCluster, programs, startGatewayCluster } from '../support/gateway-cluster.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';

const posts = 100;
const limit = 300;

describe.skipIf(lacks(...programs))('over three replicas', () => {
  let cluster: GatewayCluster;
  beforeAll(async () => {
    cluster = await startGatewayCluster({ RATE_LIMIT_TOKEN_READS: String(limit), RATE_LIMIT_WINDOW: '120' });
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  test(`${posts} POSTs with one idempotency key make one tag`, async () => {
    const { client, db } = cluster;
    const { companyId, products, token } = await createTenant(db);
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name_en: 'Once', item_ids: products };
    let inProgress = 0;
    const create = async (): Promise<unknown> => {
      const answer = await client.rest('POST', '/product_tags', { token, headers, body });
      if (answer.status === 201) return answer.body;
      // What a client does that is told to try again.
      expect(answer.status).toBe(409);
      inProgress += 1;
      await setTimeout(50);
      return create();
    };
    const tags = await Promise.all(Array.from({ length: posts }, create));
    const rows = await db.selectFrom('productTags').select('id').where('companyId', '=', companyId).execute();
    console.log(`${posts} POSTs with one key, ${inProgress} retries: ${rows.length} tag`);
    expect(rows).toHaveLength(1);
    expect(new Set(tags.map((tag) => JSON.stringify(tag))).size).toBe(1);
    expect(tags[0]).toMatchObject({ id: rows[0]?.id, item_ids: products });
  });

  test(`a limit of ${limit} lets ${limit} through`, async () => {
    const { client, db } = cluster;
    const { token } = await createTenant(db);
    const read = async () => (await client.rest('GET', '/services', { token })).status;
    const statuses = await Promise.all(Array.from({ length: 2 * limit }, read));
    const passed = statuses.filter((status) => status === 200).length;
    console.log(`a limit of ${limit}: ${passed} of ${statuses.length} passed`);
    expect(passed).toBe(limit);
    expect(statuses.filter((status) => status === 429)).toHaveLength(limit);
  });

  test('a limit is that of the address which the balancer tells, and of each replica in turn', async () => {
    const answers = await Promise.all(
      Array.from({ length: 9 }, () =>
        cluster.client.rest('GET', '/services', { headers: { 'X-Forwarded-For': '192.0.2.7' } }),
      ),
    );
    const left = answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(left.toSorted((a, b) => b - a)).toEqual(Array.from({ length: 9 }, (_, index) => 999_999 - index));
  });
});
