import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { companyRows, surfaceNames, type Tag, type TagFields, writes } from '../support/product-tag.ts';
import { sharedApp } from '../support/test-app.ts';

const unknownId = 2_000_000_000;

const app = await sharedApp();
const tenant = await app.createTenant();
const fields = { name_en: 'Spicy', name_ar: 'حار جدا', item_ids: tenant.products.slice(0, 2) };
let tag: Tag;
let version: string;
beforeEach(async () => {
  await app.db.deleteFrom('productTags').where('companyId', '=', tenant.companyId).execute();
  const created = await writes.REST.create(app.client, fields, tenant);
  tag = created.tag as Tag;
  version = created.version as string;
});

const rows = () => companyRows(app.db, tenant.companyId);

async function listedVersions(): Promise<unknown[]> {
  const query = '{ items(first: 100) { nodes { tags { nodes { id version } } } } }';
  const { body } = await app.client.graphql(query, {}, tenant);
  type Item = { tags: { nodes: { id: number; version: string }[] } };
  const tags = body.data.items.nodes.flatMap((item: Item) => item.tags.nodes);
  return tags.filter(({ id }: { id: number }) => id === tag.id).map((listed: { version: string }) => listed.version);
}

describe.each(surfaceNames)('the version of a tag on %s', (surface) => {
  const update = async (sent: TagFields) => (await writes[surface].update(app.client, tag.id, sent, tenant)).version;

  test.each<[what: string, change: () => TagFields]>([
    ['the English name', () => ({ name_en: 'Spicy.' })],
    ['the Arabic name', () => ({ name_en: 'Spicy', name_ar: 'حار' })],
    ['the Arabic name, to none', () => ({ name_en: 'Spicy', name_ar: null })],
    ['an item more', () => ({ name_en: 'Spicy', item_ids: tenant.products.slice(0, 3) })],
    ['an item less', () => ({ name_en: 'Spicy', item_ids: tenant.products.slice(0, 1) })],
    ['another item', () => ({ name_en: 'Spicy', item_ids: tenant.products.slice(1, 3) })],
  ])('changes with %s, and again when the content is restored', async (_what, change) => {
    const changed = await update(change());
    expect(new Set(await listedVersions())).toEqual(new Set([changed]));
    expect(new Set([version, changed, await update(fields)]).size).toBe(3);
  });
});

describe('plain SQL', () => {
  class Undone extends Error {}

  /** The version after a statement, which is rolled back. */
  async function versionAfter(statement: RawBuilder<unknown>): Promise<unknown> {
    let found: unknown;
    const work = app.db.transaction().execute(async (transaction) => {
      await statement.execute(transaction);
      found = (await companyRows(transaction, tenant.companyId)).tags.find((row) => row.id === tag.id)?.version;
      throw new Undone();
    });
    await expect(work).rejects.toThrow(Undone);
    return found;
  }

  const links = (index: number) => sql`item_id = ${tenant.products[index]}`;
  test.each<[what: string, isOther: boolean, statement: () => RawBuilder<unknown>]>([
    ['renames the tag', true, () => sql`update product_tags set name_en = 'Other' where id = ${tag.id}`],
    ['removes its Arabic name', true, () => sql`update product_tags set name_ar = null where id = ${tag.id}`],
    [
      'links an item',
      true,
      () => sql`insert into product_taggings (company_id, product_tag_id, item_id)
        values (${tenant.companyId}, ${tag.id}, ${tenant.products[2]})`,
    ],
    ['unlinks an item', true, () => sql`delete from product_taggings where ${links(0)}`],
    ['links another item', true, () => sql`update product_taggings set ${links(2)} where ${links(0)}`],
    ['deletes an item', true, () => sql`delete from items where id = ${fields.item_ids[0]}`],
    ['unlinks everything', true, () => sql`truncate product_taggings`],
    ['writes the same names', false, () => sql`update product_tags set name_en = name_en, name_ar = name_ar`],
    ['writes the same links', false, () => sql`update product_taggings set item_id = item_id, created_at = now()`],
    ['renames an item', false, () => sql`update items set name_en = 'Other' where id = ${fields.item_ids[0]}`],
    ['renames another tag', false, () => sql`update product_tags set name_en = 'Other' where id <> ${tag.id}`],
    ['unlinks other tags', false, () => sql`delete from product_taggings where product_tag_id <> ${tag.id}`],
  ])('that %s changes the version: %j', async (_what, isOther, statement) => {
    expect((await versionAfter(statement())) !== version).toBe(isOther);
  });

  test('of links reads no other tags', async () => {
    const scans = sql<{ count: number }>`
      select seq_scan::int as count from pg_stat_xact_user_tables where relname = 'product_tags'`;
    const work = app.db.transaction().execute(async (transaction) => {
      const run = async (statement: RawBuilder<unknown>) => void (await statement.execute(transaction));
      await run(sql`insert into product_tags (company_id, name_en)
        select ${tenant.companyId}, 'Tag ' || n from generate_series(1, 10000) n`);
      await run(sql`insert into items (company_id, item_type, name_en, name_ar)
        select ${tenant.companyId}, 'product', 'Linked', '-' from generate_series(1, 100)`);
      await run(sql`analyze product_tags`);
      const before = await scans.execute(transaction);
      await run(sql`insert into product_taggings (company_id, product_tag_id, item_id)
        select company_id, ${tag.id}, id from items where company_id = ${tenant.companyId} and name_en = 'Linked'`);
      expect(await scans.execute(transaction)).toEqual(before);
      throw new Undone();
    });
    await expect(work).rejects.toThrow(Undone);
  });
});

describe.each(surfaceNames)('an update on %s', (surface) => {
  const update = (sent: TagFields, ifMatch?: string, id = tag.id) =>
    writes[surface].update(app.client, id, sent, { token: tenant.token, ifMatch });

  test('with the current version succeeds, and returns the next', async () => {
    const changed = await update({ name_en: 'Changed' }, version);
    expect(changed).toMatchObject({ codes: ['done'], tag: { name_en: 'Changed', item_ids: fields.item_ids } });
    expect((await update({ name_en: 'Lost' }, version)).codes).toEqual(['version_mismatch']);
    expect(await update({ name_en: 'Again', item_ids: [] }, changed.version)).toMatchObject({ codes: ['done'] });
  });

  test('checks the tag, then the version, then the fields', async () => {
    const bad = { name_en: 'ab', item_ids: [tenant.modifier] };
    expect((await update(bad, 'stale', unknownId)).codes).toEqual(['product_tag_not_found']);
    expect((await update(bad, 'stale')).codes).toEqual(['version_mismatch']);
    const codes = (await update(bad, version)).codes;
    expect(codes).toEqual(surface === 'REST' ? ['validation_failed'] : ['invalid_length', 'item_not_product']);
  });

  test('with unchanged values, all or some, writes no row', async () => {
    const before = await rows();
    expect(before.taggings).toHaveLength(2);
    const { name_en, item_ids } = fields;
    const names = { name_en: ' Spicy ', name_ar: ' حار جدا ' };
    const repeated = { name_en, item_ids: item_ids.concat(item_ids).reverse() };
    for (const same of [fields, { name_en }, names, { name_en, item_ids }, repeated]) {
      expect(await update(same)).toEqual({ codes: ['done'], tag, version, replayed: false });
      expect(await update(same, version)).toEqual({ codes: ['done'], tag, version, replayed: false });
    }
    expect(await rows()).toEqual(before);
  });

  test('keeps links of unchanged items', async () => {
    const before = await rows();
    await update({ name_en: 'Spicy', item_ids: tenant.products });
    const linked = await rows();
    expect(linked.taggings).toEqual([...before.taggings, expect.anything(), expect.anything(), expect.anything()]);
    await update({ name_en: 'Renamed', item_ids: tenant.products });
    expect((await rows()).taggings).toEqual(linked.taggings);
  });
});

describe('If-Match of an update on REST', () => {
  const update = async (ifMatch: string) => {
    const options = { ...tenant, headers: { 'If-Match': ifMatch }, body: { name_en: 'Changed' } };
    const { status, body } = await app.client.rest('PUT', `/product_tags/${tag.id}`, options);
    return { status, code: body.code };
  };

  // V stands for the version.
  const matching = `"V" ; V ; * ; "V","x" ; W/"x", "V" ; "a,b", "V" ; , "V" , ;   "V"   ; "", "V" ; "x"\t,\t"V"`;
  test.each(matching.split(' ; '))('takes %j for the version', async (ifMatch) => {
    expect(await update(ifMatch.replace('V', version))).toMatchObject({ status: 200 });
  });

  // U stands for the version in other letters.
  const others = ['""', '"x"', 'W/"V"', '"V-gzip"', '"U"', '"x,V,x"', '0'.repeat(36)];
  const malformed = ` ; x ; w/"V" ; "V ; V" ; "V " ; xV ; V, V ; x, "V" ; *, "V" ; "x" "V" ; "x, "V" ; "x", V ; ,`;
  test.each([
    ...others.map((ifMatch) => ({ ifMatch, status: 412, code: 'version_mismatch' })),
    ...malformed.split(' ; ').map((ifMatch) => ({ ifMatch, status: 400, code: 'invalid_parameter' })),
  ])('rejects $ifMatch: $code', async ({ ifMatch, ...rejected }) => {
    const before = await rows();
    const sent = ifMatch.replace(/[UV]/, (letter) => (letter === 'V' ? version : version.toUpperCase()));
    expect(await update(sent)).toEqual(rejected);
    expect(await rows()).toEqual(before);
  });
});

test('a creation on REST ignores version conditions', async () => {
  for (const headers of [{ 'If-Match': '"stale"' }, { 'If-None-Match': '*' }, { 'If-None-Match': 'nonsense' }])
    expect((await app.client.rest('POST', '/product_tags', { ...tenant, headers, body: fields })).status).toBe(201);
});

describe('If-None-Match of an update on REST', () => {
  const update = (headers: Record<string, string>, { id = tag.id, body = { name_en: 'Changed' } as object } = {}) =>
    app.client.rest('PUT', `/product_tags/${id}`, { ...tenant, headers, body });
  const condition = (text: string) => ({ 'If-None-Match': text.replace('V', version) });

  test.each(['"V"', 'W/"V"', '*', 'V', '"x", W/"V"', ', "a,b"\t, "V" ,'])(
    '%s matches the current version',
    async (text) => {
      const before = await rows();
      const { status, body } = await update(condition(text));
      expect({ status, code: body.code }).toEqual({ status: 412, code: 'version_mismatch' });
      expect(body.errors).toEqual({ 'If-None-Match': [expect.any(String)] });
      expect(body.detail).toMatch(/ If-None-Match rejects the current version /);
      expect(await rows()).toEqual(before);
    },
  );

  test.each(['"x"', 'W/"x"', '"x,V,x"', '"VW/"', '"V-gzip"', '"x", W/"y"'])('%s does not', async (text) => {
    expect(await update(condition(text))).toMatchObject({ status: 200, body: { name_en: 'Changed' } });
  });

  test.each(['', 'x', '*, "x"', 'w/"x"', '"x'])('%j is malformed', async (text) => {
    const before = await rows();
    expect(await update({ 'If-None-Match': text })).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: { 'If-None-Match': [expect.any(String)] } },
    });
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['PATCH', {}, '{"name_en":"Changed"}', 'application/json'],
    ['POST', { 'X-HTTP-Method-Override': 'PUT' }, '{"name_en":"Changed"}', 'application/json'],
    ['POST', {}, '_method=put&name_en=Changed', 'application/x-www-form-urlencoded'],
  ])('applies to %s with %j and %s', async (method, headers, body, type) => {
    const before = await rows();
    const response = await fetch(`${app.url}/partner_portal/v1/product_tags/${tag.id}`, {
      method,
      body,
      headers: { ...headers, ...condition('"V"'), Authorization: `Bearer ${tenant.token}`, 'Content-Type': type },
    });
    expect(response.status).toBe(412);
    expect(await rows()).toEqual(before);
  });

  test('is checked with If-Match, after the tag and before the fields', async () => {
    const [ifMatch, stale] = [{ 'If-Match': `"${version}"` }, { 'If-Match': '"stale"' }];
    expect(await update({ ...stale, ...condition('"x"') })).toMatchObject({
      status: 412,
      body: { errors: { 'If-Match': [expect.any(String)] } },
    });
    expect((await update({ ...ifMatch, ...condition('*') })).status).toBe(412);
    expect((await update(condition('*'), { id: unknownId })).status).toBe(404);
    expect((await update(condition('*'), { body: { name_en: 'ab' } })).status).toBe(412);
    expect((await update({ ...ifMatch, ...condition('"x"') }, { body: { name_en: 'ab' } })).status).toBe(422);
    expect((await update({ ...ifMatch, ...condition('"x"') })).status).toBe(200);
  });

  test('a repeated update with If-Match is 412, unless it changed nothing', async () => {
    const ifMatch = { 'If-Match': `"${version}"` };
    for (const status of [200, 200]) expect((await update(ifMatch, { body: fields })).status).toBe(status);
    for (const status of [200, 412]) expect((await update(ifMatch)).status).toBe(status);
  });
});

describe('ifMatch of an update on GraphQL', () => {
  const update = (ifMatch: string | null, headers: Record<string, string> = {}) => {
    const mutation = `mutation ($id: Int!, $ifMatch: String) {
      updateProductTag(id: $id, input: { nameEn: "Changed" }, ifMatch: $ifMatch) {
        productTag { nameEn } userErrors { code field message itemIds } } }`;
    return app.client.graphql(mutation, { id: tag.id, ifMatch }, { token: tenant.token, headers });
  };

  // V stands for the version.
  test.each(['', '*', '"V"', 'W/"V"', ' V', 'V, V', 'stale'])('takes %j for another version', async (ifMatch) => {
    const before = await rows();
    const { body } = await update(ifMatch.replaceAll('V', version));
    const error = { code: 'VERSION_MISMATCH', field: ['ifMatch'], message: expect.any(String), itemIds: null };
    expect(body.data.updateProductTag).toEqual({ productTag: null, userErrors: [error] });
    expect(await rows()).toEqual(before);
  });

  test('is the only condition: headers are ignored', async () => {
    for (const headers of [{ 'If-Match': '"stale"' }, { 'If-Match': 'nonsense' }, { 'If-None-Match': '*' }]) {
      const { body } = await update(null, headers);
      expect(body.data.updateProductTag).toEqual({ productTag: { nameEn: 'Changed' }, userErrors: [] });
    }
  });
});
