import { beforeEach, describe, expect, test } from 'vitest';
import { lockTags } from '../support/locks.ts';
import { companyRows, surfaces } from '../support/product-tag.ts';
import type { Tenant } from '../support/tenant.ts';
import { sharedApp } from '../support/test-app.ts';

const { client, createTenant, db } = await sharedApp();
let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant();
});

const outcome = '{ productTag { nameEn } userErrors { code } }';
const create = (alias: string, more = '') =>
  `${alias}: createProductTag(input: { nameEn: "${alias} tag" }${more}) ${outcome}`;
const done = (alias: string) => ({ productTag: { nameEn: `${alias} tag` }, userErrors: [] });

describe('a document with a malformed argument writes nothing', () => {
  const payload = (list: string) =>
    `second: createProductTag(input: { nameEn: "Second" }) { productTag { items { nodes { tags${list} { nodes { id } } } } } }`;

  test.each<[argument: string, mutation: string, variable?: unknown]>([
    ['idempotencyKey', create('second', ', idempotencyKey: ""')],
    ['idempotencyKey', create('second', ', idempotencyKey: $text'), 'é'],
    ['idempotencyKey', create('second', ', idempotencyKey: $text'), 'a\nb'],
    ['idempotencyKey', create('second', ', idempotencyKey: $text'), 'x'.repeat(256)],
    ['first', payload('(first: 0)')],
    ['first', payload('(first: $number)'), 101],
    ['after', payload('(after: "bad")')],
    ['after', payload('(after: $text)'), Buffer.from('item:1').toString('base64url')],
  ])('%s in %s', async (argument, mutation, variable) => {
    const before = await companyRows(db, tenant.companyId);
    const used = ['text', 'number'].find((name) => mutation.includes(`$${name}`));
    const variables = used === undefined ? '' : `($${used}: ${used === 'text' ? 'String' : 'Int!'})`;
    const document = `mutation ${variables} { ${create('first', ', idempotencyKey: "a"')} ${mutation} }`;
    const { status, body } = await client.graphql(document, { ...(used && { [used]: variable }) }, tenant);
    const message = expect.stringMatching(new RegExp(`^${argument} must be `));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { errors: [{ message, locations: [{}], extensions: { code: 'BAD_USER_INPUT' } }] },
    });
    expect(body.data).toBeUndefined();
    expect(await companyRows(db, tenant.companyId)).toEqual(before);
  });
});

describe('after a mutation fails at run time', () => {
  const toCodes = (errors: { extensions: { code: string } }[] = []) => errors.map(({ extensions }) => extensions.code);

  test('later ones do not run, and earlier results are kept', async () => {
    const hold = async () => (await surfaces.REST.create(client, { name_en: 'Held' }, tenant)).id;
    const ids = [await hold(), await hold()];
    const [one, other] = ids.map((id) => `failed: deleteProductTag(id: ${id}) { deletedProductTagId }`);
    const [some, none] = await lockTags(db, ids, () =>
      Promise.all([
        client.graphql(`mutation { ${create('first')} ${one} ${create('last')} }`, {}, { ...tenant, language: 'ar' }),
        client.graphql(`mutation { ${other} ${create('last')} }`, {}, tenant),
      ]),
    );
    const skipped = expect.stringMatching(/^فشلت عملية سابقة/);
    expect(some).toMatchObject({
      status: 200,
      body: {
        data: { first: done('first'), failed: null, last: null },
        errors: [{ path: ['failed'] }, { path: ['last'], message: skipped }],
      },
    });
    expect(none).toMatchObject({ status: 409, body: { data: null } });
    for (const { body } of [some, none]) expect(toCodes(body.errors)).toEqual(['CONFLICT', 'MUTATION_SKIPPED']);
    const names = (await companyRows(db, tenant.companyId)).tags.map((tag) => tag.nameEn);
    expect(names.toSorted()).toEqual(['Held', 'Held', 'first tag']);
  });

  test('all are rejected without a token, with status 401 and its headers', async () => {
    const { status, headers, body } = await client.graphql(`mutation { ${create('first')} ${create('last')} }`);
    expect([status, headers.get('WWW-Authenticate'), body.data]).toEqual([
      401,
      expect.stringContaining('Bearer'),
      null,
    ]);
    expect(toCodes(body.errors)).toEqual(['UNAUTHENTICATED', 'MUTATION_SKIPPED']);
  });

  test('a rejection in userErrors is not a failure', async () => {
    const { body } = await client.graphql(
      `mutation { rejected: updateProductTag(id: 1, input: { nameEn: "x" }) ${outcome} ${create('last')} }`,
      {},
      tenant,
    );
    const rejected = { productTag: null, userErrors: [{ code: 'PRODUCT_TAG_NOT_FOUND' }] };
    expect(body).toEqual({ data: { rejected, last: done('last') } });
  });
});
