import { expect } from 'vitest';
import {
  CreateProductTagDocument,
  type ProductTagOutcomeFragment,
  UpdateProductTagDocument,
} from '../documents.generated.ts';
import type { Answer, Client, Options } from './client.ts';
import { type Tag, type TagFields, tagOf, toInput } from './product-tag.ts';

/** What a write came to, in the same words for both surfaces. */
export interface Outcome {
  /** `done`, or the catalog's codes of what it was refused for. */
  codes: string[];
  tag?: Tag;
  version?: string;
  replayed: boolean;
}

type Keyed = Options & { idempotencyKey?: string | undefined };
type Conditional = Options & { ifMatch?: string | undefined };

interface Writes {
  create(client: Client, fields: TagFields, options: Keyed): Promise<Outcome>;
  update(client: Client, id: number, fields: TagFields, options: Conditional): Promise<Outcome>;
}

/** Writing a tag on each surface, refused or not: on REST with headers, on GraphQL with arguments. */
export const writes: Record<'REST' | 'GraphQL', Writes> = {
  REST: {
    async create(client, fields, { idempotencyKey, ...options }) {
      const headers = {
        ...options.headers,
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      };
      return restOutcome(await client.rest('POST', '/product_tags', { ...options, headers, body: fields }), 201);
    },
    async update(client, id, fields, { ifMatch, ...options }) {
      const headers = { ...options.headers, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) };
      return restOutcome(await client.rest('PUT', `/product_tags/${id}`, { ...options, headers, body: fields }), 200);
    },
  },
  GraphQL: {
    async create(client, fields, { idempotencyKey, ...options }) {
      const variables = { input: toInput(fields), idempotencyKey };
      const { headers, body } = await client.graphql(CreateProductTagDocument, variables, options);
      return graphqlOutcome(headers, body.data?.createProductTag);
    },
    async update(client, id, fields, { ifMatch, ...options }) {
      const variables = { id, input: toInput(fields), ifMatch };
      const { headers, body } = await client.graphql(UpdateProductTagDocument, variables, options);
      return graphqlOutcome(headers, body.data?.updateProductTag);
    },
  },
};

export const surfaceNames = Object.keys(writes) as (keyof typeof writes)[];

/** The version in an ETag header, which is a strong one. */
export function versionIn(headers: Headers): string {
  const etag = headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  return etag.slice(1, -1);
}

function restOutcome({ status, headers, body }: Answer<Tag & { code: string }>, success: number): Outcome {
  const replayed = isReplay(headers);
  if (status === success) return { codes: ['done'], tag: body, version: versionIn(headers), replayed };
  expect(headers.get('etag')).toBeNull();
  return { codes: [body.code], replayed };
}

function graphqlOutcome(headers: Headers, payload: ProductTagOutcomeFragment | undefined): Outcome {
  const replayed = isReplay(headers);
  if (!payload?.productTag) {
    return { codes: payload?.userErrors.map(({ code }) => code.toLowerCase()) ?? [], replayed };
  }
  return { codes: ['done'], tag: tagOf(payload), version: payload.productTag.version, replayed };
}

function isReplay(headers: Headers): boolean {
  const value = headers.get('idempotency-replayed');
  expect([null, 'true']).toContain(value);
  return value !== null;
}
