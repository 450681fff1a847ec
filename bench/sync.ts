import assert from 'node:assert/strict';
import { ask } from './contenders.ts';
import { withClient } from './databases.ts';
import { median } from './measure.ts';
import type { Build } from './service.ts';
import { tagUpdateRequest, tagUpdateStatements, writeHeaders } from './tag-update.ts';
import { readItemIds } from './write.ts';

/** A step of a large synchronization: medians in ms of the service and of its statements alone. */
export interface SyncStep {
  title: string;
  service: number;
  database: number;
}

/** Times single updates of a tag with up to 10,000 items. */
export async function measureSync(build: Build, repetitions: number): Promise<SyncStep[]> {
  const { data } = build;
  const itemIds = data.productIds.slice(0, 10_000);
  const half = itemIds.filter((_, index) => index % 2 === 0);
  const count = (ids: number[]) => ids.length.toLocaleString('en');
  const steps = [
    { title: `link ${count(itemIds)} items to a tag that has none`, itemIds },
    { title: `send the same ${count(itemIds)} again`, itemIds },
    { title: `unlink every other one of ${count(itemIds)}`, itemIds: half },
    { title: `unlink the other ${count(half)}`, itemIds: [] },
  ];
  const tagId = data.tagIds.at(-1) as number;
  return withClient(data.url, async (client) => {
    await updateByService(build, tagId, []);
    const times = steps.map(() => ({ service: [] as number[], database: [] as number[] }));
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const [index, step] of steps.entries()) {
        times[index]?.service.push(await updateByService(build, tagId, step.itemIds));
        assert.deepEqual(await readItemIds(data, tagId), step.itemIds);
      }
      for (const [index, step] of steps.entries()) {
        const ids = `'{${step.itemIds}}'`;
        const statements = tagUpdateStatements(String(data.companyId), String(tagId), "'Synchronized'", ids);
        const run = async () => {
          for (const statement of ['begin', ...statements, 'commit']) await client.query(statement);
        };
        times[index]?.database.push(await measureTime(run));
      }
    }
    return steps.map(({ title }, index) => ({
      title,
      service: median(times[index]?.service ?? []),
      database: median(times[index]?.database ?? []),
    }));
  });
}

async function updateByService({ server, data }: Build, tagId: number, itemIds: number[]): Promise<number> {
  return measureTime(() => ask(server, tagUpdateRequest(tagId, 'Synchronized', itemIds), writeHeaders(data)));
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
