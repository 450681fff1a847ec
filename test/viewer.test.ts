import { describe, expect, test } from 'vitest';
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { demoCompanies, demoPartner } from '../src/domain/reference/seed/demo-data.ts';
import {
  ViewerDocument,
  ViewerItemDocument,
  ViewerItemsDocument,
  type ViewerItemsQueryVariables,
} from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { surfaces } from './support/product-tag.ts';
import { createTenant } from './support/tenant.ts';

/** The tenant's items, ascending. */
const app = await sharedApp();
const issued = await issueToken(app.db, demoPartner, null);
if ('refused' in issued) throw new Error(issued.refused);
const demo = issued;
const tenant = await createTenant(app.db, { products: 118 });
const ids = [...tenant.products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);

describe.each(['en', 'ar'] as const)('the viewer in %s', (language) => {
  const [expected] = demoCompanies.filter(({ partner }) => partner === demoPartner);
  const nameIn = (row: { nameEn: string; nameAr: string }) => (language === 'ar' ? row.nameAr : row.nameEn);

  test('is the partner of the token with its company, branches and their services', async () => {
    const { body } = await app.client.graphql(ViewerDocument, {}, { ...demo, language });
    const { partner, company } = body.data?.viewer ?? {};
    expect(partner?.name).toBe(demoPartner);
    expect(company).toMatchObject({
      nameEn: expected?.company.nameEn,
      nameAr: expected?.company.nameAr,
      name: expected && nameIn(expected.company),
    });
    const branches = company?.branches.map(({ nameEn, name, address, services }) => ({
      nameEn,
      name,
      line: address.line,
      services: services.map(({ code }) => code).toSorted(),
    }));
    expect(branches).toEqual(
      expected?.branches.map((branch) => ({
        nameEn: branch.nameEn,
        name: nameIn(branch),
        line: branch.addressLine,
        services: branch.services.toSorted(),
      })),
    );
    expect(company?.branches.map(({ id }) => id)).toEqual(
      company?.branches.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  test('has addresses that resolve through the city to its country', async () => {
    const { body } = await app.client.graphql(ViewerDocument, {}, { ...demo, language });
    const { company } = body.data?.viewer ?? {};
    const addresses = [company?.address, ...(company?.branches ?? []).map(({ address }) => address)];
    const codes = [expected?.cityCode, ...(expected?.branches ?? []).map(({ cityCode }) => cityCode)];
    const rows = await Promise.all(
      codes.map((code) =>
        app.db
          .selectFrom('cities')
          .innerJoin('countries', 'countries.id', 'cities.countryId')
          .where('cities.code', '=', code ?? '')
          .select([
            'cities.id',
            'cities.nameEn as cityName',
            'countries.id as countryId',
            'countries.nameEn',
            'countries.nameAr',
            'countries.dialCode',
            'countries.shortCode',
          ])
          .executeTakeFirstOrThrow(),
      ),
    );
    expect(addresses.map((address) => ({ city: address?.city, country: address?.country }))).toEqual(
      rows.map(({ id, cityName, countryId, ...country }) => ({ city: { id, nameEn: cityName, countryId }, country })),
    );
    expect(company?.address.country).toMatchObject({ nameEn: 'Saudi Arabia', dialCode: '+966', shortCode: 'SA' });
  });
});

test('the embedded form of a country has no id and no localized name', async () => {
  const { body } = await app.client.graphql('{ __type(name: "EmbeddedCountry") { fields { name } } }');
  const names = body.data.__type.fields.map(({ name }: { name: string }) => name);
  expect(new Set(names)).toEqual(new Set(['nameEn', 'nameAr', 'dialCode', 'shortCode']));
});

describe('items', () => {
  const list = async (variables: ViewerItemsQueryVariables) =>
    (await app.client.graphql(ViewerItemsDocument, variables, tenant)).body;

  test.each([1, 2, 99, 100])('a page has the first %d, by id', async (first) => {
    const items = (await list({ first })).data?.viewer.items;
    expect(items?.nodes.map(({ id }) => id)).toEqual(ids.slice(0, first));
    expect(items?.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, first));
    expect(items?.pageInfo).toEqual({ hasNextPage: true, endCursor: items?.edges.at(-1)?.cursor });
  });

  test('a page has 25 when nothing is said', async () => {
    expect((await list({})).data?.viewer.items.nodes).toHaveLength(25);
  });

  test.each([1, 50, 60, 100])(
    'pages of at most %d, each behind the cursor of the last, are all items once',
    async (first) => {
      const seen: number[] = [];
      let after: string | null = null;
      for (;;) {
        const items:
          | { nodes: { id: number }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } }
          | undefined = (await list({ first, after })).data?.viewer.items;
        seen.push(...(items?.nodes ?? []).map(({ id }) => id));
        after = items?.pageInfo.endCursor ?? null;
        if (!items?.pageInfo.hasNextPage) break;
      }
      expect(seen).toEqual(ids);
    },
  );

  test('behind the last item there is an empty page', async () => {
    const { data } = await list({
      first: 100,
      after: (await list({ first: 100 })).data?.viewer.items.pageInfo.endCursor,
    });
    const behind = await list({ first: 100, after: data?.viewer.items.pageInfo.endCursor });
    expect(behind.data?.viewer.items).toEqual({
      edges: [],
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  test('every edge has the cursor of its own item', async () => {
    const [first, second] = (await list({ first: 3 })).data?.viewer.items.edges ?? [];
    expect((await list({ first: 1, after: first?.cursor })).data?.viewer.items.nodes[0]?.id).toBe(second?.node.id);
  });

  test.each([
    { itemType: 'PRODUCT', of: () => tenant.products.slice(0, 100) },
    { itemType: 'MODIFIER_GROUP', of: () => [tenant.modifierGroup] },
    { itemType: 'MODIFIER', of: () => [tenant.modifier] },
  ] as const)('itemType $itemType lists only those', async ({ itemType, of }) => {
    const nodes = (await list({ first: 100, itemType })).data?.viewer.items.nodes;
    expect(nodes).toEqual(of().map((id) => ({ id, itemType })));
  });

  test.each([0, -1, 101, 2 ** 31 - 1])('a page of %d is refused', async (first) => {
    const { data, errors } = await list({ first });
    expect(data?.viewer ?? null).toBeNull();
    expect(errors).toEqual([expect.objectContaining({ path: ['viewer', 'items'] })]);
    expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(errors?.[0]?.message).toContain('first');
  });

  test.each([
    '',
    '1',
    'not a cursor',
    Buffer.from('item:').toString('base64url'),
    Buffer.from('item:-1').toString('base64url'),
    Buffer.from('item:2147483648').toString('base64url'),
    Buffer.from("item:1' or 1=1").toString('base64url'),
    Buffer.from('tag:1').toString('base64url'),
  ])('the cursor "%s", which no answer gave, is refused', async (after) => {
    const { data, errors } = await list({ after });
    expect(data?.viewer ?? null).toBeNull();
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
    expect(errors?.[0]?.message).toContain('after');
  });
});

describe.each(['en', 'ar'] as const)('an item in %s', (language) => {
  test('has its own fields and carries its tags, by id', async () => {
    const [id = 0, sibling = 0] = tenant.products;
    const options = { token: tenant.token, language };
    const first = await surfaces.REST.create(app.client, { name_en: 'Spicy', item_ids: [sibling, id] }, options);
    const second = await surfaces.REST.create(app.client, { name_en: 'New', name_ar: 'جديد', item_ids: [id] }, options);
    const row = await app.db
      .selectFrom('items')
      .select(['id', 'nameEn', 'nameAr'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

    const { body } = await app.client.graphql(ViewerItemDocument, { id }, options);
    const { tags = [], ...item } = body.data?.viewer.item ?? {};
    expect(item).toEqual({ ...row, itemType: 'PRODUCT', name: language === 'ar' ? row.nameAr : row.nameEn });
    expect(tags.slice(-2)).toEqual(
      [first, second].map(({ id, name_en: nameEn, name_ar: nameAr, name, item_ids: itemIds }) => ({
        id,
        nameEn,
        nameAr,
        name,
        itemIds,
        items: { nodes: itemIds.map((id) => ({ id })) },
      })),
    );
  });
});

test.each([0, -1, 2 ** 31 - 1])('the item %d, which there is not, is null', async (id) => {
  const { body } = await app.client.graphql(ViewerItemDocument, { id }, tenant);
  expect(body).toEqual({ data: { viewer: { item: null } } });
});
