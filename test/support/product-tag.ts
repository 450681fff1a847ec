import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import type { Answer, Client, GraphQLBody, Options } from './client.ts';

/** A tag with v1's field names, from either API. */
export interface Tag {
  id: number;
  name_en: string;
  name_ar: string | null;
  name: string | null;
  item_ids: number[];
}

export interface TagFields {
  name_en: string;
  name_ar?: string | null;
  item_ids?: number[] | null;
}

export interface Outcome {
  /** `done`, or the codes of a rejection. */
  codes: string[];
  tag?: Tag;
  version?: string;
  replayed: boolean;
}

/** `ifMatch` is a version. */
type WriteOptions = Options & { idempotencyKey?: string | undefined; ifMatch?: string | undefined };

interface Writing<Result> {
  create(client: Client, fields: TagFields, options: WriteOptions): Promise<Result>;
  update(client: Client, id: number, fields: TagFields, options: WriteOptions): Promise<Result>;
}

export const surfaceNames = ['REST', 'GraphQL'] as const;

type Surfaces<Result> = Record<(typeof surfaceNames)[number], Writing<Result>>;

const payload = `productTag { id name_en: nameEn name_ar: nameAr name item_ids: itemIds version }
  userErrors { code field message itemIds }`;

export const mutations = {
  create: `mutation ($input: CreateProductTagInput!, $idempotencyKey: String) {
    createProductTag(input: $input, idempotencyKey: $idempotencyKey) { ${payload} replayed } }`,
  update: `mutation ($id: Int!, $input: UpdateProductTagInput!, $ifMatch: String) {
    updateProductTag(id: $id, input: $input, ifMatch: $ifMatch) { ${payload} } }`,
  delete: `mutation ($id: Int!) {
    deleteProductTag(id: $id) { deletedProductTagId userErrors { code field message itemIds } } }`,
};

/** Writes a tag, whether it is rejected or not: on REST with headers, on GraphQL with arguments. */
export const writes: Surfaces<Outcome> = {
  REST: {
    create: (client, body, options) =>
      rest(client, 'POST', '/product_tags', body, options, ['Idempotency-Key', options.idempotencyKey]),
    update: (client, id, body, options) =>
      rest(client, 'PUT', `/product_tags/${id}`, body, options, [
        'If-Match',
        options.ifMatch && `"${options.ifMatch}"`,
      ]),
  },
  GraphQL: {
    create: async (client, fields, { idempotencyKey, ...options }) =>
      graphqlOutcome(await client.graphql(mutations.create, { input: toInput(fields), idempotencyKey }, options)),
    update: async (client, id, fields, { ifMatch, ...options }) =>
      graphqlOutcome(await client.graphql(mutations.update, { id, input: toInput(fields), ifMatch }, options)),
  },
};

const succeeding = ({ create, update }: Writing<Outcome>): Writing<Tag> => ({
  create: async (...args) => expectTag(await create(...args)),
  update: async (...args) => expectTag(await update(...args)),
});

export const surfaces: Surfaces<Tag> = { REST: succeeding(writes.REST), GraphQL: succeeding(writes.GraphQL) };

export const deleteTag = (client: Client, id: number, options: Options) =>
  client.graphql(mutations.delete, { id }, options);

/** The same fields by their GraphQL names; JSON omits undefined ones. */
export function toInput({ name_en, name_ar, item_ids }: TagFields) {
  return { nameEn: name_en, nameAr: name_ar, itemIds: item_ids };
}

/** The version in a strong ETag. */
function versionIn(headers: Headers): string {
  const etag = headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\da-f-]{36}"$/);
  return etag.slice(1, -1);
}

export async function linkedItems(db: Database, tagId: number): Promise<number[]> {
  const query = db.selectFrom('productTaggings').select('itemId').where('productTagId', '=', tagId);
  return (await query.execute()).map((row) => row.itemId).toSorted((a, b) => a - b);
}

/** All items, tags and links of a company, with the hidden columns that change on every write. */
export async function companyRows(db: Database, companyId: number) {
  const readRows = async (table: string, order: string) => {
    const { rows } = await sql<Record<string, unknown>>`select xmin::text, ctid::text, * from ${sql.table(table)}
      where company_id = ${companyId} order by ${sql.raw(order)}`.execute(db);
    return rows;
  };
  return {
    items: await readRows('items', 'id'),
    tags: await readRows('product_tags', 'id'),
    taggings: await readRows('product_taggings', 'product_tag_id, item_id'),
  };
}

async function rest(
  client: Client,
  method: 'POST' | 'PUT',
  path: string,
  body: TagFields,
  options: Options,
  [name, value]: [string, string | undefined],
): Promise<Outcome> {
  const headers = { ...options.headers, ...(value !== undefined && { [name]: value }) };
  const answer = await client.rest<Tag & { code: string }>(method, path, { ...options, headers, body });
  const replayed = isReplay(answer.headers);
  if (answer.status === { POST: 201, PUT: 200 }[method]) {
    return { codes: ['done'], tag: answer.body, version: versionIn(answer.headers), replayed };
  }
  expect(answer.headers.get('etag')).toBeNull();
  return { codes: [answer.body.code], replayed };
}

// biome-ignore lint/suspicious/noExplicitAny: the data of either mutation
function graphqlOutcome({ headers, body }: Answer<GraphQLBody<any>>): Outcome {
  const payload = body.data?.createProductTag ?? body.data?.updateProductTag ?? {};
  const { productTag, replayed = false, userErrors = [] } = payload;
  expect(isReplay(headers)).toBe(false);
  const codes = [...userErrors, ...(body.errors ?? []).map(({ extensions }) => extensions)].map(({ code }) => code);
  if (!productTag) return { codes: codes.map((code) => code.toLowerCase()), replayed };
  expect(userErrors).toEqual([]);
  const { version, ...tag } = productTag;
  return { codes: ['done'], tag, version, replayed };
}

function isReplay(headers: Headers): boolean {
  const value = headers.get('idempotency-replayed');
  expect([null, 'true']).toContain(value);
  return value !== null;
}

function expectTag({ codes, tag }: Outcome): Tag {
  expect(codes).toEqual(['done']);
  return tag as Tag;
}
