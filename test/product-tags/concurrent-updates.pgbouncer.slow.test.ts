import { expect, test } from 'vitest';
import { deleteTag, linkedItems, surfaces, writes } from '../support/product-tag.ts';
import { startApp, use } from '../support/test-app.ts';

const rounds = 80;
const writers = 4;

const app = use(await startApp());
const tenant = await app.createTenant({ products: 24 });
const { products } = tenant;

// A different set for each writer and round: neighbours overlap partly, and sizes differ.
function selectItems(writer: number, round: number): number[] {
  const size = 4 + ((writer * 5 + round) % 12);
  const start = (writer * 7 + round * 3) % products.length;
  return [...products, ...products].slice(start, start + size).toSorted((a, b) => a - b);
}

function collectFields(round: number) {
  const fields = (writer: number) => ({ name_en: `Round ${round} of ${writer}`, item_ids: selectItems(writer, round) });
  return Array.from({ length: writers }, (_, writer) => fields(writer));
}

async function stored(id: number) {
  const row = await app.db.selectFrom('productTags').select('nameEn').where('id', '=', id).executeTakeFirstOrThrow();
  return { name_en: row.nameEn, item_ids: await linkedItems(app.db, id) };
}

test('each concurrent update returns its own items, and one of them is stored', async () => {
  const { id } = await surfaces.REST.create(app.client, { name_en: 'Contended' }, tenant);
  for (let round = 0; round < rounds; round += 1) {
    const sent = collectFields(round);
    const answers = await Promise.all(sent.map((fields) => surfaces.REST.update(app.client, id, fields, tenant)));
    expect(answers).toEqual(sent.map((fields) => expect.objectContaining(fields)));
    expect(sent, `round ${round}`).toContainEqual(await stored(id));
  }
});

test('of concurrent updates of one version exactly one succeeds', async () => {
  const created = await writes.REST.create(app.client, { name_en: 'Contended' }, tenant);
  let version = created.version;
  const { id = 0 } = created.tag ?? {};
  for (let round = 0; round < rounds / 3; round += 1) {
    const options = { token: tenant.token, ifMatch: version };
    const outcomes = await Promise.all(
      collectFields(round).map((fields, writer) =>
        writes[writer % 2 ? 'REST' : 'GraphQL'].update(app.client, id, fields, options),
      ),
    );
    const done = outcomes.filter(({ codes }) => codes[0] === 'done');
    expect(done).toHaveLength(1);
    expect(outcomes.filter(({ codes }) => codes[0] === 'version_mismatch')).toHaveLength(writers - 1);
    expect(done[0]?.tag).toMatchObject(await stored(id));
    version = done[0]?.version;
  }
});

test('concurrent updates, deletions and creations never fail, and leave no links of deleted tags', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id } = await surfaces.REST.create(
      app.client,
      { name_en: 'Doomed', item_ids: selectItems(0, round) },
      tenant,
    );
    const body = (writer: number) => ({ name_en: 'Renamed', item_ids: selectItems(writer, round) });
    const put = (writer: number) => app.client.rest('PUT', `/product_tags/${id}`, { ...tenant, body: body(writer) });
    const [first, second, removed, created] = await Promise.all([
      put(1),
      put(2),
      deleteTag(app.client, id, tenant),
      surfaces.REST.create(app.client, { name_en: 'Newborn', item_ids: selectItems(3, round) }, tenant),
    ]);
    for (const { status } of [first, second]) expect([200, 404]).toContain(status);
    expect(removed.body).toEqual({ data: { deleteProductTag: { deletedProductTagId: id, userErrors: [] } } });
    expect(await linkedItems(app.db, id)).toEqual([]);
    expect(await linkedItems(app.db, created.id)).toEqual(created.item_ids);
  }
});
