import assert from 'node:assert/strict';
import { ask, type Contender, httpContender } from './contender.ts';
import type { Data } from './data.ts';
import { query } from './database.ts';
import type { Generator, Requests } from './load.ts';
import { type Measurement, measure } from './measure.ts';
import type { Options } from './options.ts';
import { findPgbench, pgbenchContenders } from './pgbench.ts';
import type { Server } from './server.ts';
import { tagUpdateRequest, tagUpdateRequests } from './tag-update.ts';

/** Updates of tags with 30 to 50 items, against the same transaction by pgbench, where that is installed. */
export async function measureWrites(service: Server, data: Data, options: Options): Promise<Measurement[]> {
  const contenders = [writeContender(options.generator, service, data)];
  if (options.peers.includes('pgbench')) {
    if (await findPgbench()) contenders.push(...pgbenchContenders(data));
    else console.error('pgbench is not installed: the write is measured without its limit');
  }
  return measure(contenders, options);
}

function writeContender(generator: Generator, service: Server, data: Data): Contender {
  const requests = writeRequests(data);
  return httpContender(generator, {
    name: 'service',
    label: 'this service',
    role: 'service',
    server: service,
    requests,
    async check() {
      const tagId = data.tagIds[0] as number;
      const itemIds = data.productIds.slice(0, 40);
      const answer = await ask(service, tagUpdateRequest(tagId, 'Checked', itemIds), requests.headers);
      assert.deepEqual(JSON.parse(answer).item_ids, itemIds);
      assert.deepEqual(await readItemIds(data, tagId), itemIds);
    },
  });
}

/** Updates of the company's tags, of some thousand that all differ. */
export function writeRequests(data: Data): Requests {
  return {
    headers: { 'content-type': 'application/json', authorization: `Bearer ${data.token}` },
    list: tagUpdateRequests(data, 5_000),
  };
}

/** The items of a tag as they are stored. */
export async function readItemIds({ url }: Data, tagId: number): Promise<number[]> {
  const rows = await query<{ item_id: number }>(
    url,
    'select item_id from product_taggings where product_tag_id = $1 order by item_id',
    [tagId],
  );
  return rows.map((row) => row.item_id);
}
