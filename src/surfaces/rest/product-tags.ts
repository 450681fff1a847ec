import type { Request, RequestHandler, Response } from 'express';
import { idempotencyKeyHeader, parseIdempotencyKey } from '../../domain/partner/idempotency/idempotency-key.ts';
import { parseVersionCondition } from '../../domain/partner/product-tags/product-tag-version.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Expectation, RefusalCode } from '../../kernel/errors/catalog.ts';
import { refusalMessage } from '../../kernel/errors/refusal.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { respondJson } from '../../platform/http/response-cache.ts';
import type { Route } from '../../platform/http/routes.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { invalidParameters, parseInteger, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';
import { parseProductTagBody, readBody } from './product-tag-body.ts';

/** The routes of product tags. */
export function productTagRoutes(execute: Execute): Route[] {
  const handlers = (handler: RequestHandler) => [...readBody, handler];
  return [
    { methods: ['POST'], path: '/product_tags', access: 'partner', handlers: handlers(createProductTag(execute)) },
    { methods: ['PUT'], path: '/product_tags/:id', access: 'partner', handlers: handlers(updateProductTag(execute)) },
  ];
}

/** Creates a tag, once for all requests with the same `Idempotency-Key`; 201 with its `Location`. */
function createProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    checkHeader(request, idempotencyKeyHeader, parseIdempotencyKey, 'idempotencyKey');
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome, impossibleItemIds);
    response.location(`${request.baseUrl}/product_tags/${tag.id}`);
    sendTag(response, tag, 201);
  };
}

/** Updates a tag, if it has the version that `If-Match` names. */
function updateProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const id = parseInteger(String(request.params.id));
    if (id === undefined) throw new AppError('not_found');
    checkHeader(request, 'If-Match', parseVersionCondition, 'ifMatch');
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1UpdateProductTagDocument, { id: toId(id), input });
    sendTag(response, tagOf(outcome, impossibleItemIds));
  };
}

// GraphQL reads the header itself, and reports a malformed one in its own way.
function checkHeader(request: Request, name: string, parse: (text: string) => unknown, expected: Expectation): void {
  const text = request.get(name);
  if (text !== undefined && parse(text) === undefined) throw invalidParameters([name], expected);
}

type Tag = NonNullable<V1ProductTagOutcomeFragment['productTag']>;

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
  throw invalidFields(
    userErrors.map((userError) => {
      const name = userError.field?.at(-1) ?? '';
      const field = v1Names[name] ?? name;
      const code = userError.code.toLowerCase() as RefusalCode;
      if (!userError.itemIds?.includes(unknownId)) return { code, field, message: userError.message };
      // Names the ids that were sent in place of `unknownId`.
      const itemIds = [...userError.itemIds.filter((id) => id !== unknownId), ...new Set(impossibleItemIds)];
      return { code, field, message: refusalMessage({ code, field, itemIds }, currentLocale()) };
    }),
  );
}
