import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { loadModule, normalizeSync } from 'libpg-query';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { envToConfig } from '../../src/app/config.ts';
import { Mistakes } from '../../src/domain/import/mistakes.ts';
import { readRecords } from '../../src/domain/import/read-records.ts';
import {
  createBranch,
  deleteBranch,
  listBranches,
  updateBranch,
} from '../../src/domain/partner/companies/branch.queries.ts';
import { forgetExpiredKeys } from '../../src/domain/partner/idempotency/idempotency-key.service.ts';
import { listAllItems } from '../../src/domain/partner/items/item.queries.ts';
import { importItems, itemFileColumns } from '../../src/domain/partner/items/item-import.ts';
import { importTags, listAllTags, tagFileColumns } from '../../src/domain/partner/product-tags/tag-import.ts';
import { seedDemo } from '../../src/domain/reference/seed/demo.ts';
import type { Database } from '../../src/domain/tables.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { DeleteProductTagDocument } from '../documents.generated.ts';
import { copyTemplate, use } from '../support/app.ts';
import { Client } from '../support/client.ts';
import { surfaceNames, writes } from '../support/product-tag-write.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { listTenantMentions } from '../support/tenant-binding.ts';

/** Statements about no one company, and why: each would be asked of every node. */
const exceptions = [
  {
    why: 'old keys are deleted for everybody',
    table: 'idempotency_keys',
    mentions: 2,
    text: /^delete from "idempotency_keys" where .* skip locked/,
  },
  {
    why: 'an id is refused that another company has',
    table: 'items',
    mentions: 1,
    text: /^select id, company_id, item_type from items where id in/,
  },
  {
    why: 'ids of items are unique over all companies',
    table: 'items',
    mentions: 1,
    text: /^lock table "items" in share row exclusive mode$/,
  },
  {
    why: 'ids of items are unique over all companies',
    table: 'items',
    mentions: 1,
    text: /^select greatest\(max\(id\), pg_sequence_last_value/,
  },
  {
    why: 'ids of items are unique over all companies',
    table: 'items',
    mentions: 1,
    text: /^select setval\(pg_get_serial_sequence\(\$1, 'id'\)::regclass, max\(id\)\) from "items"/,
  },
  {
    why: 'ids of tags are unique over all companies',
    table: 'product_tags',
    mentions: 1,
    text: /^lock table "product_tags" in share row exclusive mode$/,
  },
  {
    why: 'ids of tags are unique over all companies',
    table: 'product_tags',
    mentions: 1,
    text: /^select id, company_id from product_tags where id in/,
  },
  {
    why: 'ids of tags are unique over all companies',
    table: 'product_tags',
    mentions: 1,
    text: /^select setval\(pg_get_serial_sequence\(\$1, 'id'\)::regclass, max\(id\)\) from "product_tags"/,
  },
];

await loadModule();
const database = use(await copyTemplate());
const texts: string[] = [];
const env = { PORT: '0', HOST: '127.0.0.1', SHUTDOWN_DELAY: '0', FEDERATION: 'on' };
const config = envToConfig({ ...env, ...database.env });
const app = createApp(config, { log: createLog('silent'), onStatement: (text) => texts.push(text) });
const client = new Client(await app.start());
const tenant = await createTenant(app.db());
const tables = await listTenantTables(app.db());
texts.splice(0);
await administrate(app.db(), tenant);
await useBothSurfaces(client, tenant);
await app.stop();
const distinct = new Map(texts.map((text) => [withoutValues(text), text.replace(/\s+/g, ' ').trim()]));
const statements = [...distinct.values()];

/** The same for statements that differ in values alone, or in how many of them there are. */
function withoutValues(text: string): string {
  return normalizeSync(text)
    .replace(/\$\d+/g, '$')
    .replace(/\([$, ]+\)(?:, \([$, ]+\))*/g, '()');
}

/** Whatever has a company. */
async function listTenantTables(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'company_id'`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

async function useBothSurfaces(client: Client, tenant: Tenant): Promise<void> {
  const [first = 0, second = 0] = tenant.products;
  for (const surface of surfaceNames) {
    const { create, update } = writes[surface];
    const fields = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first, second] };
    const { tag, version } = await create(client, fields, { ...tenant, idempotencyKey: surface });
    expect((await create(client, fields, { ...tenant, idempotencyKey: surface })).replayed).toBe(true);
    const id = tag?.id ?? 0;
    expect((await update(client, id, { ...fields, item_ids: [first] }, { ...tenant, ifMatch: version })).codes).toEqual(
      ['done'],
    );
    expect((await update(client, id, { name_en: 'Mild' }, tenant)).codes).toEqual(['done']);
    expect((await update(client, id, { ...fields, item_ids: [tenant.modifier] }, tenant)).codes).toEqual([
      'item_not_product',
    ]);
    expect((await create(client, { name_en: 'Bare' }, tenant)).codes).toEqual(['done']);
  }
  const document = `{ viewer { partner { name } company { address { city { nameEn } } branches { services { code } address { city { nameEn } } } }
    item(id: ${first}) { id } items(first: 5, itemType: PRODUCT) { nodes { tags { id itemIds version items(first: 5) { nodes { tags { id } } } } } } } }`;
  const { body } = await client.graphql(document, {}, tenant);
  expect(body.errors).toBeUndefined();
  const [{ id } = { id: 0 }] = body.data.viewer.items.nodes[0].tags;
  const entities = `{ _entities(representations: [{ __typename: "ProductTag", id: ${id} }]) { ... on ProductTag { nameEn } } }`;
  expect((await client.graphql(entities, {}, tenant)).body.data._entities).toHaveLength(1);
  const deleted = await client.graphql(DeleteProductTagDocument, { id }, tenant);
  expect(deleted.body).toMatchObject({ data: { deleteProductTag: { deletedProductTagId: id, userErrors: [] } } });
}

/** What the admin command does with a company, and what the service does by itself. */
async function administrate(db: Database, { companyId, products }: Tenant): Promise<void> {
  const city = await db.selectFrom('cities').select('id').executeTakeFirstOrThrow();
  const names = { nameEn: 'Olaya', nameAr: 'العليا' };
  const id = await createBranch(db, { companyId, ...names, addressLine: null, cityId: city.id }, [1]);
  expect(await listBranches(db, companyId)).toHaveLength(1);
  expect(await updateBranch(db, { companyId, id }, names, [2])).toBe(true);
  const other = await createBranch(db, { companyId, ...names, addressLine: null, cityId: city.id }, []);
  expect(await deleteBranch(db, { companyId, id: other })).toBe(true);
  const file = `id,item_type,name_en,name_ar\n${products[0]},product,Tea,شاي\n,modifier,Sugar,سكر\n`;
  const mistakes = new Mistakes();
  const records = readRecords(Buffer.from(file), { columns: itemFileColumns, mistakes });
  const imported = await db.transaction().execute((transaction) =>
    importItems(transaction, records, mistakes, {
      companyId,
      mayUpdate: true,
      mayRepeat: false,
      isTrial: false,
      signal: new AbortController().signal,
      onProgress: () => {},
    }),
  );
  expect(imported).toEqual({ added: 1, changed: 1, unchanged: 0 });
  const tags = `id,name_en,name_ar,item_ids\n900,Imported,,${products[0]}\n`;
  const tagRecords = readRecords(Buffer.from(tags), { columns: tagFileColumns, mistakes });
  await db.transaction().execute((transaction) =>
    importTags(transaction, tagRecords, mistakes, {
      companyId,
      isTrial: false,
      signal: new AbortController().signal,
      onProgress: () => {},
    }),
  );
  for await (const page of listAllTags(db, companyId)) expect(page).toHaveLength(1);
  await db.updateTable('partners').set({ name: sql`name || ' before'` }).execute();
  await seedDemo(db);
  for await (const page of listAllItems(db, companyId, null)) expect(page.length).toBeGreaterThan(0);
  await forgetExpiredKeys(db);
}

const exceptionOf = (text: string) => exceptions.find((exception) => exception.text.test(text));

describe('every statement on a table of tenants', () => {
  test('is bound to one company', () => {
    const unbound = statements.filter(
      (text) => !exceptionOf(text) && listTenantMentions(text, tables).some(({ bound }) => !bound),
    );
    expect(unbound).toEqual([]);
  });

  test('but for those that are about all companies, of which there is each', () => {
    for (const { text, table, mentions } of exceptions) {
      const found = statements.filter((statement) => text.test(statement));
      expect(found, String(text)).toHaveLength(1);
      const unbound = listTenantMentions(found[0] as string, tables).filter(({ bound }) => !bound);
      expect(unbound.map((mention) => mention.table)).toEqual(Array.from({ length: mentions }, () => table));
    }
  });

  test('is among these: each table as often as the source names it', () => {
    // Helpers of imports take the name of their table.
    const own = statements.filter((text) => !/^(lock table|select setval\()/.test(text));
    const seen = count(own.flatMap((text) => listTenantMentions(text, tables).map(({ table }) => table)));
    expect(Object.keys(seen).toSorted()).toEqual([...tables].toSorted());
    expect(seen).toEqual(count(listSourceMentions()));
  });
});

/** The tenant tables that queries of the source name, by Kysely's calls and in SQL. */
function listSourceMentions(): string[] {
  const names = [...tables].map((table) => [
    table,
    table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  ]);
  const tableOf = new Map(
    names.flatMap(([table = '', camel = '']) => [
      [table, table],
      [camel, table],
    ]),
  );
  const any = [...tableOf.keys()].join('|');
  const call = `(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\\('(${any})'`;
  const clause = `\\b(?:from|join|into|update|table) (${any})\\b`;
  return globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(new RegExp(`${call}|${clause}`, 'g'))].map(
      ([, called, written]) => tableOf.get((called ?? written) as string) as string,
    ),
  );
}

function count(words: string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, group]) => [word, group.length]));
}

describe('what is taken for bound', () => {
  test.each([
    ['select * from items where company_id = $1', 'items'],
    ['select * from items where $1::integer = items.company_id and id = $2', 'items'],
    [
      'select * from items i join product_taggings t on t.company_id = i.company_id where t.company_id = $1',
      'items product_taggings',
    ],
    [
      'select * from items i left join product_taggings t using (company_id) where i.company_id = $1',
      'items product_taggings',
    ],
    [
      'select * from items where company_id = $1 and exists (select from product_taggings t where t.company_id = items.company_id)',
      'items product_taggings',
    ],
    ['insert into items (id, company_id) values ($1, $2), ($3, $4)', 'items'],
    ['insert into items (id, company_id) select $1, $2 on conflict (company_id, id) do nothing', 'items'],
    ['with t as (update items set name_en = $1 where company_id = $2 returning id) select * from t', 'items'],
    ['select * from items where company_id = any($1)', ''],
    ['select * from items where company_id = $1 or id = $2', ''],
    ['select * from items where not (company_id = $1)', ''],
    ['select * from items where id = $1', ''],
    ['select * from items where company_id <> $1', ''],
    ['select * from items where company_id = company_id', ''],
    ['select * from items i join product_taggings t on t.item_id = i.id where i.company_id = $1', 'items'],
    [
      'select * from items i left join product_taggings t on i.company_id = $1 and t.company_id = $1',
      'product_taggings',
    ],
    [
      'select * from items where id in (select item_id from product_taggings where company_id = $1)',
      'product_taggings',
    ],
    ['select * from items where company_id = $1 union select * from items', 'items'],
    ['with t as (select id from items) select * from t where id = $1', ''],
    ['insert into items (id) values ($1)', ''],
    ['insert into items (id, company_id) values ($1, $2), ($3, 7)', 'items'],
    ['insert into items (id, company_id) values ($1, $2), ($3, default)', ''],
    ['insert into items (id, company_id) select id, company_id from product_tags', ''],
    ['insert into items (id, company_id) values ($1, $2) on conflict (id) do nothing', ''],
    ['update items set name_en = $1 where id = $2', ''],
    ['delete from items using product_tags t where t.company_id = $1 and items.id = t.id', 'product_tags'],
    ['lock table items in share mode', ''],
    ['select (select max(id) from items)', ''],
  ])('%s', (text, bound) => {
    const mentions = listTenantMentions(text, tables).filter((mention) => mention.bound);
    expect(mentions.map(({ table }) => table).join(' ')).toBe(bound);
  });
});
