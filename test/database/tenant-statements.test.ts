import { parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';
import { createBranch } from '../../src/domain/partner/companies/branches.ts';
import { deleteExpiredKeys } from '../../src/domain/partner/idempotency/idempotency-keys.ts';
import { seed } from '../../src/domain/reference/seed/seed.ts';
import type { Database } from '../../src/domain/tables.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { Client } from '../support/client.ts';
import { execute } from '../support/postgres-server.ts';
import { deleteTag, surfaceNames, writes } from '../support/product-tag.ts';
import { isReference, mutations, queries, schema } from '../support/schema.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, use } from '../support/test-app.ts';

/** Expired keys are deleted for all companies. */
const exception = /^delete from "idempotency_keys" where .* skip locked/;

const database = use(await copyTemplate());
const url = database.env.DATABASE_URL as string;
const documents: string[] = [];
const statements = await collectStatements();
const ofTenants = `select table_name as name from information_schema.columns
  where table_schema = 'public' and column_name = 'company_id'`;
const tables = new Set((await execute<{ name: string }>(url, ofTenants)).rows.map(({ name }) => name));

/** Statements of the service and the admin command, merged if they differ only in values or in their number. */
async function collectStatements(): Promise<string[]> {
  const texts: string[] = [];
  const env = { PORT: '0', HOST: '127.0.0.1', SHUTDOWN_DELAY: '0' };
  const config = envToConfig({ ...env, ...database.env });
  const app = createGateway(config, { log: createLog('silent'), onStatement: (text) => texts.push(text) });
  const { url, db } = await app.start();
  const client = new Client(url);
  const tenant = await createTenant(db);
  texts.splice(0);
  await administrate(db, tenant);
  const { graphql } = client;
  client.graphql = (document, ...others) => {
    documents.push(document);
    return graphql.call(client, document, ...others);
  };
  await useBothSurfaces(client, tenant);
  await app.stop();
  const lines = texts.map((text) => text.replace(/\s+/g, ' ').trim());
  const withoutValues = (text: string) =>
    text.replace(/\$?\b\d+\b/g, '$').replace(/\([$, ]+\)(?:, \([$, ]+\))*/g, '()');
  return [...new Map(lines.map((text) => [withoutValues(text), text])).values()];
}

async function useBothSurfaces(client: Client, tenant: Tenant): Promise<void> {
  const [first = 0, second = 0] = tenant.products;
  for (const surface of surfaceNames) {
    const { create, update } = writes[surface];
    const fields = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: [first, second] };
    const createOnce = () => create(client, fields, { ...tenant, idempotencyKey: surface });
    const { tag: { id = 0 } = {}, version } = await createOnce();
    expect((await createOnce()).replayed).toBe(true);
    const outcomes = [
      await update(client, id, { ...fields, item_ids: [first] }, { ...tenant, ifMatch: version }),
      await update(client, id, { name_en: 'Mild' }, tenant),
      await create(client, { name_en: 'Bare' }, tenant),
      await update(client, id, { ...fields, item_ids: [tenant.modifier] }, tenant),
    ];
    expect(outcomes.flatMap(({ codes }) => codes)).toEqual(['done', 'done', 'done', 'item_not_product']);
  }
  const address = 'address { city { nameEn } }';
  const items = 'items(first: 2) { nodes { tags { nodes { id } } } }';
  const document = `{ partner { name } item(id: ${first}) { id }
    company { ${address} branches { nodes { services { code } ${address} } } }
    found: items(search: "product", tagged: true) { nodes { id } }
    items(first: 2, itemType: PRODUCT) { nodes { tags(first: 2) { nodes { id itemIds version ${items} } } } } }`;
  const { body } = await client.graphql(document, {}, tenant);
  expect(body.errors).toBeUndefined();
  const lists = `{ itemsByIds(ids: [1]) { id } productTagsByIds(ids: [1]) { id } without: items(productTagIds: [1], exceptProductTagIds: [1], updatedAfter: "2026-01-01T00:00:00Z") { nodes { id } }
    items(first: 2, reverse: true, orderBy: NAME_EN) { nodes { createdAt hasProductTag(id: 1) } pageInfo { endCursor } }
    productTags(updatedAfter: "2026-01-01T00:00:00Z", orderBy: ITEM_COUNT, reverse: true) { totalCount nodes { updatedAt } }
    tags: productTags(first: 1, search: "mild") { nodes { id } pageInfo { endCursor } } }`;
  const { items: reversed, tags: found } = (await client.graphql(lists, {}, tenant)).body.data;
  const next = `{ items(reverse: true, orderBy: NAME_EN, after: "${reversed.pageInfo.endCursor}") { nodes { id } }
    productTags(after: "${found.pageInfo.endCursor}") { nodes { id } } productTag(id: ${found.nodes[0].id}) { id } }`;
  expect((await client.graphql(next, {}, tenant)).body.errors).toBeUndefined();
  const [{ id } = { id: 0 }] = body.data.items.nodes[0].tags.nodes;
  const changed = '{ productTag { itemIds items { nodes { id } } } userErrors { code } }';
  for (const mutation of [
    `addProductTagItems(id: ${id}, itemIds: [${second}])`,
    `removeProductTagItems(id: ${id}, itemIds: [${second}])`,
    `updateProductTag(id: ${id}, input: { itemIds: [${first}, ${second}] })`,
    `createProductTag(input: { nameEn: "Created", itemIds: [${first}] })`,
  ])
    expect((await client.graphql(`mutation { ${mutation} ${changed} }`, {}, tenant)).body.errors).toBeUndefined();
  const deleted = await deleteTag(client, id, tenant);
  expect(deleted.body).toMatchObject({ data: { deleteProductTag: { deletedProductTagId: id, userErrors: [] } } });
}

/** The admin command's work for a company, and the service's background work. Imports are for all companies. */
async function administrate(db: Database, { companyId }: Tenant): Promise<void> {
  const { id: cityId } = await db.selectFrom('cities').select('id').executeTakeFirstOrThrow();
  const names = { nameEn: 'Olaya', nameAr: 'العليا' };
  const addBranch = (services: number[]) =>
    createBranch(db, { companyId, ...names, addressLine: null, cityId }, services);
  await addBranch([1]);
  await db.updateTable('partners').set({ name: sql`name || ' before'` }).execute();
  await seed(db, { demo: true });
  await deleteExpiredKeys(db);
}

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[]; [condition: string]: unknown };

/** Tables of which PostgreSQL would read rows of other companies, because no index finds those of one company. */
async function findUnbound(statement: string): Promise<string[]> {
  const explain = `explain (generic_plan, format json) ${statement}`;
  // Otherwise it would scan these small tables.
  const withIndexes = Object.assign(new URL(url), { search: '?options=-c enable_seqscan=off' }).href;
  const { rows } = await execute<{ 'QUERY PLAN': [{ Plan: Plan }] }>(withIndexes, explain);
  const listScans = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(listScans)];
  return rows
    .flatMap((row) => listScans(row['QUERY PLAN'][0].Plan))
    .filter((plan) => plan['Node Type'] !== 'ModifyTable' && tables.has(plan['Relation Name'] ?? ''))
    .filter((plan) => !isBound(plan['Index Cond'] ?? plan['Recheck Cond']))
    .map((plan) => plan['Relation Name'] as string);
}

function isBound(condition: unknown): boolean {
  const text = String(condition ?? '');
  return (
    /\bcompany_id(?: \+ 0\))? = (\$\d+|\w+\.company_id)\b|\$\d+ = (\w+\.)?company_id\b/.test(text) &&
    !text.includes(' OR ')
  );
}

const own = statements.filter((text) => mentionsIn(text).length > 0 && !exception.test(text));

test.each(own)('is restricted to one company: %s', async (text) => {
  expect(await findUnbound(text)).toEqual([]);
});

test('covers every partner operation and list argument', () => {
  const used = new Set<string>();
  const info = new TypeInfo(schema);
  for (const document of documents)
    visit(
      parse(document),
      visitWithTypeInfo(info, {
        Field: () => void used.add(info.getFieldDef()?.name ?? ''),
        Argument: ({ name }) => void used.add(`${info.getFieldDef()?.name}(${name.value}:)`),
      }),
    );
  const own = [...queries, ...mutations].filter((field) => !isReference(field));
  const all = own.flatMap(({ name, args }) => [name, ...args.map((each) => `${name}(${each.name}:)`)]);
  const missing = all.filter((each) => !used.has(each) && !/idempotencyKey|ifMatch/.test(each));
  expect(missing, 'Use them in `useBothSurfaces`').toEqual([]);
});

test('covers every tenant table, and detects unrestricted statements', async () => {
  expect(new Set(own.flatMap(mentionsIn))).toEqual(tables);
  expect(await findUnbound('select * from items where company_id = $1')).toEqual([]);
  for (const unbound of [
    'select * from items where company_id = $1 or id = $2',
    'select * from items where company_id = $1 union select * from items',
    'delete from items using product_tags t where t.company_id = $1 and items.id = t.id',
  ]) {
    expect(await findUnbound(unbound)).toEqual(['items']);
  }
});

function mentionsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:from|join|into|update|table) "?(\w+)\b/g)]
    .map(([, table = '']) => table)
    .filter((table) => tables.has(table));
}
