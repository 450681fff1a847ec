import type { Request, RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';
import type { RefusalCode } from '../errors/catalog.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { parseInteger } from './parameters.ts';
import { parseProductTagBody } from './product-tag-body.ts';
import { RefusedFieldsError } from './refused-fields.ts';

/** POST /product_tags: creates a tag; 201 with its `Location`. */
export function postProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const input = parseProductTagBody(request);
    const { outcome } = await execute(request, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome);
    response.status(201).location(`${request.baseUrl}/product_tags/${tag.id}`).json(tag);
  };
}

/** PUT /product_tags/:id: updates a tag of the partner's company. */
export function putProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const id = productTagIdOf(request);
    const input = parseProductTagBody(request);
    const { outcome } = await execute(request, V1UpdateProductTagDocument, { id, input });
    response.json(tagOf(outcome));
  };
}

// A path whose last segment is no integer names no tag.
function productTagIdOf(request: Request): number {
  const id = parseInteger(String(request.params.id));
  if (id === undefined) throw new AppError('not_found');
  return id;
}

const v1Names: Record<string, string> = { nameEn: 'name_en', nameAr: 'name_ar', itemIds: 'item_ids', id: 'id' };

function tagOf({ productTag, userErrors }: V1ProductTagOutcomeFragment) {
  if (productTag !== null) return productTag;
  throw new RefusedFieldsError(
    userErrors.map(({ code, field, message }) => {
      const name = field?.at(-1) ?? '';
      return { code: code.toLowerCase() as RefusalCode, field: v1Names[name] ?? name, message };
    }),
  );
}
