import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { findProgram } from '../support/programs.ts';
import { createRandom } from '../support/random.ts';
import { insertItems, type Tenant } from '../support/tenant.ts';
import { startApp, use, useFolder } from '../support/test-app.ts';

const run = promisify(execFile);

const app = use(await startApp({ RATE_LIMIT: 'off' }));

const programs: [name: string, program: string | undefined, file: string][] = [
  ['TypeScript', process.execPath, 'keep-a-copy.ts'],
  ['Python', findProgram('python3'), 'keep_a_copy.py'],
];

/** What a copy must have, read from the database. */
async function readState({ companyId }: Tenant) {
  const { rows: items } = await sql<{ id: number; nameEn: string }>`
    select id, name_en from items where company_id = ${companyId} order by id`.execute(app.db);
  const { rows: tags } = await sql<{ id: number; version: string; itemIds: number[] }>`
    select id, version, array(select item_id from product_taggings as link
      where link.company_id = ${companyId} and product_tag_id = product_tags.id order by 1) as item_ids
    from product_tags where company_id = ${companyId} order by id`.execute(app.db);
  return {
    items: items.map(({ id, nameEn }) => [id, nameEn]),
    tags: tags.map(({ id, version, itemIds }) => [id, version, itemIds]),
  };
}

interface Copy {
  items: Record<string, { id: number; nameEn: string }>;
  tags: Record<string, { id: number; version: string; itemIds: number[] }>;
}

describe.each(programs.filter(([, program]) => program))('the example in %s', (_name, program, file) => {
  async function open() {
    const tenant = await app.createTenant({ products: 230 });
    const path = join(await useFolder(), 'copy.json');
    const send = async (mutation: string, variables: object = {}) => {
      const { body } = await app.client.graphql(mutation, variables, tenant);
      expect(body.errors).toBeUndefined();
      return Object.values(body.data)[0] as { productTag: { id: number } | null };
    };
    const env = { PATH: process.env.PATH, GATEWAY_URL: app.url, GATEWAY_TOKEN: tenant.token };
    const copy = async () => {
      const { stdout, stderr } = await run(program as string, [join(root, 'examples/keep-a-copy', file), path], {
        env,
      });
      expect(stderr).toBe('');
      const { items, tags }: Copy = JSON.parse(await readFile(path, 'utf8'));
      const byId = (x: { id: number }, y: { id: number }) => x.id - y.id;
      expect(stdout).toBe(`${Object.keys(items).length} items, ${Object.keys(tags).length} tags\n`);
      return {
        items: Object.values(items)
          .toSorted(byId)
          .map(({ id, nameEn }) => [id, nameEn]),
        tags: Object.values(tags)
          .toSorted(byId)
          .map(({ id, version, itemIds }) => [id, version, itemIds]),
      };
    };
    const create = async (itemIds: number[]) =>
      (
        await send(
          `mutation ($itemIds: [Int!]) { createProductTag(input: { nameEn: "Tag", itemIds: $itemIds }) { productTag { id } } }`,
          { itemIds },
        )
      ).productTag?.id as number;
    return { tenant, send, copy, create };
  }

  const renameItem = (id: number, nameEn: string) =>
    app.db.updateTable('items').set({ nameEn }).where('id', '=', id).execute();

  /** Locks tags before items, as imports do: a deletion alone may deadlock with the service's writes. */
  const removeItem = ({ companyId }: Tenant, id: number) =>
    app.db.transaction().execute(async (transaction) => {
      const tags = transaction.selectFrom('productTags').where('companyId', '=', companyId);
      await tags.select('id').orderBy('id').forUpdate().execute();
      await transaction.deleteFrom('items').where('id', '=', id).execute();
    });

  test('follows changes, deletions and additions between runs', async () => {
    const { tenant, send, copy, create } = await open();
    const [a = 0, b = 0, c = 0, d = 0] = tenant.products;
    const tags = [await create([a, b]), await create([b, c]), await create([]), await create(tenant.products)];
    const expectEqual = async () => expect(await copy()).toEqual(await readState(tenant));
    await expectEqual();
    await expectEqual();
    await renameItem(a, 'Renamed');
    await send(`mutation { updateProductTag(id: ${tags[0]}, input: { nameEn: "Hot" }) { userErrors { code } } }`);
    await send(`mutation { addProductTagItems(id: ${tags[2]}, itemIds: [${d}]) { userErrors { code } } }`);
    await expectEqual();
    await app.db.deleteFrom('items').where('id', '=', b).execute();
    await send(`mutation { deleteProductTag(id: ${tags[1]}) { userErrors { code } } }`);
    await expectEqual();
    // As many as before.
    await app.db.deleteFrom('items').where('id', '=', c).execute();
    await insertItems(app.db, tenant.companyId, 'product', 1);
    await send(`mutation { deleteProductTag(id: ${tags[2]}) { userErrors { code } } }`);
    await create([a]);
    await expectEqual();
  });

  test('reads 2,000 tags with 26 requests, and all items of tags with more than a page', async () => {
    const { tenant, copy, create } = await open();
    await sql`insert into product_tags (company_id, name_en)
      select ${tenant.companyId}::integer, 'Tag ' || n from generate_series(1, 1998) as n`.execute(app.db);
    for (const count of [100, 230]) await create(tenant.products.slice(0, count));
    app.logLines.splice(0);
    expect(await copy()).toEqual(await readState(tenant));
    // 3 pages of items, 20 of tags, a tag with more items than a page, and both numbers.
    expect(app.logLines.filter(({ msg }) => msg === 'request')).toHaveLength(26);
  });

  test('finds writes of a transaction that commits after a later one', async () => {
    const { tenant, send, copy, create } = await open();
    const [a = 0, b = 0] = tenant.products;
    const [first, second] = [await create([a]), await create([b])];
    await copy();
    await app.db.transaction().execute(async (transaction) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await transaction.updateTable('items').set({ nameEn: 'Early' }).where('id', '=', a).execute();
      await transaction.updateTable('productTags').set({ nameEn: 'Early' }).where('id', '=', first).execute();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await renameItem(b, 'Later');
      await send(`mutation { updateProductTag(id: ${second}, input: { nameEn: "Later" }) { userErrors { code } } }`);
      // It receives the later changes, and not the earlier ones.
      expect((await copy()).items).toEqual((await readState(tenant)).items);
    });
    const copied = await copy();
    expect(copied).toEqual(await readState(tenant));
    expect(copied.items).toContainEqual([a, 'Early']);
  });

  test('misses no concurrent write', async () => {
    const { tenant, send, copy, create } = await open();
    const tags = [await create([]), await create(tenant.products)];
    let isOver = false;
    let writes = 0;
    const write = async (writer: number) => {
      const random = createRandom(writer);
      const pick = <Value>(values: Value[]) => values[Math.floor(random() * values.length)] as Value;
      while (!isOver) {
        const [tag, item, others] = [pick(tags), pick(tenant.products), [pick(tenant.products), pick(tenant.products)]];
        writes += 1;
        await pick([
          () => renameItem(item, `Name ${writes}`),
          async () => void tenant.products.push(...(await insertItems(app.db, tenant.companyId, 'product', 1))),
          () => removeItem(tenant, item),
          async () => void tags.push(await create([]).catch(() => tag)),
          () =>
            send(
              `mutation { updateProductTag(id: ${tag}, input: { nameEn: "Name ${writes}" }) { userErrors { code } } }`,
            ),
          () => send(`mutation { addProductTagItems(id: ${tag}, itemIds: [${others}]) { userErrors { code } } }`),
          () => send(`mutation { removeProductTagItems(id: ${tag}, itemIds: [${others}]) { userErrors { code } } }`),
          () => send(`mutation { deleteProductTag(id: ${tag}) { userErrors { code } } }`),
        ])();
      }
    };
    const writers = [1, 2, 3].map(write);
    for (let runs = 0; runs < 4; runs += 1) await copy();
    isOver = true;
    await Promise.all(writers);
    expect(await copy()).toEqual(await readState(tenant));
    expect(writes).toBeGreaterThan(100);
  });
});
