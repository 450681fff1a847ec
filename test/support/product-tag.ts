import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../src/domain/tables.ts';
import {
  CreateProductTagDocument,
  type CreateProductTagInput,
  type ProductTagOutcomeFragment,
  UpdateProductTagDocument,
} from '../documents.generated.ts';
import type { Client, Options } from './client.ts';

/** A tag in v1's names, whichever surface gave it. */
export interface Tag {
  id: number;
  name_en: string;
  name_ar: string | null;
  name: string | null;
  item_ids: number[];
}

/** What is sent of a tag, in v1's names. */
export interface TagFields {
  name_en: string;
  name_ar?: string | null;
  item_ids?: number[] | null;
}

interface Surface {
  create(client: Client, fields: TagFields, options: Options): Promise<Tag>;
  update(client: Client, id: number, fields: TagFields, options: Options): Promise<Tag>;
}

/** Writing a tag on each surface; a refusal fails the test. */
export const surfaces: Record<'REST' | 'GraphQL', Surface> = {
  REST: {
    async create(client, fields, options) {
      const { status, body } = await client.rest<Tag>('POST', '/product_tags', { ...options, body: fields });
      expect(status).toBe(201);
      return body;
    },
    async update(client, id, fields, options) {
      const { status, body } = await client.rest<Tag>('PUT', `/product_tags/${id}`, { ...options, body: fields });
      expect(status).toBe(200);
      return body;
    },
  },
  GraphQL: {
    async create(client, fields, options) {
      const { body } = await client.graphql(CreateProductTagDocument, { input: toInput(fields) }, options);
      return tagOf(body.data?.createProductTag);
    },
    async update(client, id, fields, options) {
      const { body } = await client.graphql(UpdateProductTagDocument, { id, input: toInput(fields) }, options);
      return tagOf(body.data?.updateProductTag);
    },
  },
};

/** The same fields as GraphQL names them; what is absent stays absent. */
export function toInput({ name_en, name_ar, item_ids }: TagFields): CreateProductTagInput {
  return {
    nameEn: name_en,
    ...(name_ar !== undefined && { nameAr: name_ar }),
    ...(item_ids !== undefined && { itemIds: item_ids }),
  };
}

/** Every row of a company's items, tags and links, with the hidden columns that any write of a row changes. */
export async function companyRows(db: Database, companyId: number) {
  const { rows: items } = await sql`
    select xmin::text, ctid::text, * from items where company_id = ${companyId} order by id`.execute(db);
  const { rows: tags } = await sql`
    select xmin::text, ctid::text, * from product_tags where company_id = ${companyId} order by id`.execute(db);
  const { rows: taggings } = await sql`
    select xmin::text, ctid::text, * from product_taggings where company_id = ${companyId}
    order by product_tag_id, item_id`.execute(db);
  return { items, tags, taggings };
}

/** A tag of a GraphQL answer, in v1's names; a refusal fails the test. */
export function tagOf(payload: ProductTagOutcomeFragment | undefined): Tag {
  if (!payload?.productTag) throw new Error(`no tag, but ${JSON.stringify(payload)}`);
  expect(payload.userErrors).toEqual([]);
  const { id, nameEn, nameAr, name, itemIds } = payload.productTag;
  return { id, name_en: nameEn, name_ar: nameAr, name, item_ids: itemIds };
}
