import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '../errors/app-error.ts';
import type { RefusalCode } from '../errors/catalog.ts';
import { refusalMessage } from '../errors/refusal.ts';
import { idempotencyKeyHeader, parseIdempotencyKey } from '../idempotency/idempotency-key.ts';
import { currentLocale } from '../request/scope.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { nobody, toId } from './int32.ts';
import { parseInteger, refuseParameters } from './parameters.ts';
import { parseProductTagBody } from './product-tag-body.ts';
import { RefusedFieldsError } from './refused-fields.ts';

/** POST /product_tags: creates a tag, once for all requests of an `Idempotency-Key`; 201 with its `Location`. */
export function postProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    ensureIdempotencyKey(request);
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome, impossibleItemIds);
    response.status(201).location(`${request.baseUrl}/product_tags/${tag.id}`);
    sendTag(response, tag);
  };
}

/** PUT /product_tags/:id: updates a tag of the partner's company, where `If-Match` names its version if it names any. */
export function putProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const id = productTagIdOf(request);
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1UpdateProductTagDocument, { id, input });
    sendTag(response, tagOf(outcome, impossibleItemIds));
  };
}

// Before it is executed, which reads the header itself: a parameter that GraphQL refuses is no caller's on REST.
function ensureIdempotencyKey(request: Request): void {
  const text = request.get(idempotencyKeyHeader);
  if (text !== undefined && parseIdempotencyKey(text) === undefined) {
    refuseParameters([idempotencyKeyHeader], 'idempotencyKey');
  }
}

// A path whose last segment is no integer names no tag.
function productTagIdOf(request: Request): number {
  const id = parseInteger(String(request.params.id));
  if (id === undefined) throw new AppError('not_found');
  return toId(id);
}

type Tag = NonNullable<V1ProductTagOutcomeFragment['productTag']>;

function sendTag(response: Response, { version, ...tag }: Tag): void {
  response.set('ETag', `"${version}"`).json(tag);
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
