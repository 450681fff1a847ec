import type { Request, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { SchemaObject } from 'openapi3-ts/oas31';
import { z } from 'zod';
import { idempotencyKeyHeader, parseIdempotencyKey } from '../../domain/partner/idempotency/idempotency-key.ts';
import { maxItems } from '../../domain/partner/product-tags/product-tag.service.ts';
import { nameLength } from '../../domain/partner/product-tags/product-tag-name.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { RefusalCode } from '../../kernel/errors/catalog.ts';
import { refusalMessage } from '../../kernel/errors/refusal.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { respondJson } from '../../platform/http/response-cache.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import { nobody, toId } from './int32.ts';
import { answerSchema, objectSchema, propertiesOfType } from './openapi/answer-schema.ts';
import { failed, refused, refusedParameter } from './openapi/problem-sample.ts';
import type { Operation } from './operation.ts';
import { integer, refuseParameters } from './parameters.ts';
import { parseProductTagBody, productTagFields } from './product-tag-body.ts';
import { RefusedFieldsError } from './refused-fields.ts';

/** What can be wrong with the fields of a tag, whether it is created or updated. */
const fieldProblems = [
  refused({ code: 'required', field: 'name_en' }),
  refused({ code: 'invalid_type', field: 'item_ids', values: { expected: 'integers' } }),
  refused({ code: 'invalid_length', field: 'name_en', values: nameLength }),
  refused({ code: 'invalid_characters', field: 'name_ar' }),
  refused({ code: 'too_many_items', field: 'item_ids', values: { max: maxItems } }),
  refused({ code: 'item_not_found', field: 'item_ids', itemIds: [12] }),
  refused({ code: 'item_not_product', field: 'item_ids', itemIds: [9] }),
  refused(
    { code: 'invalid_length', field: 'name_en', values: nameLength },
    { code: 'item_not_product', field: 'item_ids', itemIds: [9] },
  ),
];

/** POST /product_tags: creates a tag, once for all requests of an `Idempotency-Key`; 201 with its `Location`. */
export const createProductTag: Operation = {
  id: 'createProductTag',
  method: 'POST',
  path: '/product_tags',
  access: 'partner',
  summary: 'Create a product tag',
  description:
    "Creates a tag under the partner's default company and tags the items with it, all or nothing. Safe to send again with " +
    'the same `Idempotency-Key`.',
  body: productTagFields,
  answer: tagSchema,
  problems: [
    ...fieldProblems,
    refusedParameter(idempotencyKeyHeader, 'idempotencyKey'),
    refused({ code: 'idempotency_key_in_use', field: idempotencyKeyHeader }),
    refused({ code: 'idempotency_key_reused', field: idempotencyKeyHeader }),
  ],
  handle: (execute) => async (request, response) => {
    ensureIdempotencyKey(request);
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome, impossibleItemIds);
    response.location(`${request.baseUrl}/product_tags/${tag.id}`);
    sendTag(response, tag, 201);
  },
};

const segments = z.object({
  id: integer.meta({ description: "Id of a tag of the partner's company.", examples: [1] }),
});

/** PUT /product_tags/:id: updates a tag of the partner's company, where `If-Match` names its version if it names any. */
export const updateProductTag: Operation = {
  id: 'updateProductTag',
  method: 'PUT',
  path: '/product_tags/:id',
  access: 'partner',
  summary: 'Update a product tag',
  description:
    'Changes the names of a tag and the items that are tagged with it, all or nothing. With `If-Match`, only where the tag ' +
    'still has that version.',
  segments,
  body: productTagFields,
  answer: tagSchema,
  problems: [
    ...fieldProblems,
    failed('not_found'),
    refused({ code: 'product_tag_not_found', field: 'id' }),
    refused({ code: 'version_mismatch', field: 'If-Match' }),
  ],
  handle: (execute) => async (request, response) => {
    const id = productTagIdOf(request);
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1UpdateProductTagDocument, { id, input });
    sendTag(response, tagOf(outcome, impossibleItemIds));
  },
};

// Before it is executed, which reads the header itself: a parameter that GraphQL refuses is no caller's on REST.
function ensureIdempotencyKey(request: Request): void {
  const text = request.get(idempotencyKeyHeader);
  if (text !== undefined && parseIdempotencyKey(text) === undefined) {
    refuseParameters([idempotencyKeyHeader], 'idempotencyKey');
  }
}

// A path whose last segment is no integer names no tag.
function productTagIdOf(request: Request): number {
  const { data } = segments.safeParse(request.params);
  if (data === undefined) throw new AppError('not_found');
  return toId(data.id);
}

type Tag = NonNullable<V1ProductTagOutcomeFragment['productTag']>;

/** A tag in the body; its version is the `ETag`. */
function tagSchema(schema: GraphQLSchema): SchemaObject {
  const { version, ...tag } = propertiesOfType(answerSchema(schema, V1CreateProductTagDocument), 'ProductTag');
  return { title: 'ProductTag', description: 'A label that groups products of a company.', ...objectSchema(tag) };
}

function sendTag(response: Response, { version, ...tag }: Tag, status = 200): void {
  respondJson(response.set('ETag', `"${version}"`), tag, status);
}

const v1Names: Record<string, string> = {
  nameEn: 'name_en',
  nameAr: 'name_ar',
  itemIds: 'item_ids',
  idempotencyKey: idempotencyKeyHeader,
  ifMatch: 'If-Match',
};

function tagOf({ productTag, userErrors }: V1ProductTagOutcomeFragment, impossibleItemIds: number[]): Tag {
  if (productTag !== null) return productTag;
  throw new RefusedFieldsError(
    userErrors.map((userError) => {
      const name = userError.field?.at(-1) ?? '';
      const field = v1Names[name] ?? name;
      const code = userError.code.toLowerCase() as RefusalCode;
      if (!userError.itemIds?.includes(nobody)) return { code, field, message: userError.message };
      // The ids as they were sent, in place of nobody's.
      const itemIds = [...userError.itemIds.filter((id) => id !== nobody), ...new Set(impossibleItemIds)];
      return { code, field, message: refusalMessage({ code, field, itemIds }, currentLocale()) };
    }),
  );
}
