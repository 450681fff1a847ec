import assert from 'node:assert/strict';
import type { Options } from './command-line.ts';
import { ask, type Contender, httpContender } from './contenders.ts';
import type { Data } from './data.ts';
import { query } from './databases.ts';
import { type Measurement, measure, type Plan } from './measure.ts';
import { findPgbench, pgbenchContenders } from './pgbench.ts';
import type { Build } from './service.ts';
import { tagUpdateRequest, tagUpdateRequests, writeHeaders } from './tag-update.ts';

/** Updates of tags with 30 to 50 items, compared with the same transaction in pgbench, if installed. */
export async function measureWrites(builds: Build[], plan: Plan & Pick<Options, 'peers'>): Promise<Measurement[]> {
  const contenders = builds.map((build) => writeContender(build));
  if (plan.peers.includes('pgbench')) {
    if (await findPgbench()) contenders.push(...pgbenchContenders((builds[0] as Build).data));
    else console.error('pgbench is not installed: the write is measured without its limit');
  }
  return measure(contenders, plan);
}

function writeContender({ label, role, server, data }: Build): Contender {
  const headers = writeHeaders(data);
  return httpContender({
    label,
    role,
    server,
    requests: { headers, list: tagUpdateRequests(data, 5_000) },
    async check() {
      const tagId = data.tagIds[0] as number;
      const itemIds = data.productIds.slice(0, 40);
      const answer = await ask(server, tagUpdateRequest(tagId, 'Checked', itemIds), headers);
      assert.deepEqual(JSON.parse(answer).item_ids, itemIds);
      assert.deepEqual(await readItemIds(data, tagId), itemIds);
    },
  });
}

/** The stored items of a tag. */
export async function readItemIds({ url }: Data, tagId: number): Promise<number[]> {
  const statement = 'select item_id from product_taggings where product_tag_id = $1 order by item_id';
  return (await query<{ item_id: number }>(url, statement, [tagId])).map((row) => row.item_id);
}
