import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { holdItems, untilWaiting } from '../support/locks.ts';
import { companyRows, surfaceNames, type TagFields, writes } from '../support/product-tag.ts';
import type { Tenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use } from '../support/test-app.ts';

const idempotencyKey = 'order-66';

let tenant: Tenant;
let fields: TagFields;
const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const replica = use(await startApp(database.env));
beforeEach(async () => {
  tenant = await app.createTenant();
  fields = { name_en: 'Spicy', item_ids: tenant.products };
});

const countTags = async () => (await companyRows(app.db, tenant.companyId)).tags.length;

describe.each(surfaceNames)('on %s', (surface) => {
  const create = (sent = fields, { client } = app) =>
    writes[surface].create(client, sent, { token: tenant.token, idempotencyKey });
  const createAtOnce = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => create(fields, index % 2 ? app : replica)));

  test('100 concurrent creations with one key on two replicas create one tag', async () => {
    const outcomes = await createAtOnce(100);
    const done = outcomes.filter(({ codes }) => codes[0] === 'done');
    const others = outcomes.filter(({ codes }) => codes[0] !== 'done');
    expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(done.map(({ tag, version }) => JSON.stringify({ tag, version }))).size).toBe(1);
    for (const { codes } of others) expect(codes).toEqual(['idempotency_key_in_use']);
    expect(await countTags()).toBe(1);
    for (const outcome of await createAtOnce(40)) expect(outcome).toEqual({ ...done[0], replayed: true });
  });

  test('a key in use is rejected until the first request has its response', async () => {
    const { token } = await app.createTenant();
    const { first } = await holdItems(app.db, tenant, async () => {
      const first = create();
      await untilWaiting(app.db);
      for (const sent of [fields, { name_en: 'Another' }]) {
        expect(await create(sent)).toEqual({ codes: ['idempotency_key_in_use'], replayed: false });
      }
      const headers = { 'Idempotency-Key': idempotencyKey };
      const problem = await app.client.rest('POST', '/product_tags', { ...tenant, headers, body: fields });
      expect([problem.status, problem.headers.get('retry-after')]).toEqual([409, '1']);
      expect(problem.body.errors).toEqual({ 'Idempotency-Key': [expect.any(String)] });
      for (const options of [tenant, { ...tenant, idempotencyKey: 'other' }, { token, idempotencyKey }]) {
        const { codes } = await writes[surface].create(app.client, { name_en: 'Other' }, options);
        expect(codes).toEqual(['done']);
      }
      return { first };
    });
    const created = await first;
    expect(created).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
    expect(await create()).toEqual({ ...created, replayed: true });
    expect(await countTags()).toBe(3);
  });

  test('a creation gets another id if a company takes its id concurrently', async () => {
    const { companyId } = await app.createTenant();
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence('product_tags', 'id'))::integer + 1 as id`.execute(app.db);
    const id = rows[0]?.id as number;
    const { creation } = await app.db.transaction().execute(async (transaction) => {
      // As an import writes it.
      await transaction.insertInto('productTags').values({ id, companyId, nameEn: 'Imported' }).execute();
      const creation = create();
      await untilWaiting(app.db);
      return { creation };
    });
    expect(await creation).toMatchObject({ codes: ['done'], tag: { ...fields, id: id + 1 }, replayed: false });
    expect(await countTags()).toBe(1);
  });
});
