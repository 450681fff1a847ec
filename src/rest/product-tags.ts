import type { Request, RequestHandler } from 'express';
import { AppError } from '../errors/app-error.ts';
import type { RefusalCode } from '../errors/catalog.ts';
import { refusalMessage } from '../errors/refusal.ts';
import { currentLocale } from '../request/scope.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { nobody, toId } from './int32.ts';
import { parseInteger } from './parameters.ts';
import { parseProductTagBody } from './product-tag-body.ts';
import { RefusedFieldsError } from './refused-fields.ts';

/** POST /product_tags: creates a tag; 201 with its `Location`. */
export function postProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome, impossibleItemIds);
    response.status(201).location(`${request.baseUrl}/product_tags/${tag.id}`).json(tag);
  };
}

/** PUT /product_tags/:id: updates a tag of the partner's company. */
export function putProductTag(execute: Execute): RequestHandler {
  return async (request, response) => {
    const id = productTagIdOf(request);
    const { input, impossibleItemIds } = parseProductTagBody(request);
    const { outcome } = await execute(response, V1UpdateProductTagDocument, { id, input });
    response.json(tagOf(outcome, impossibleItemIds));
  };
}

// A path whose last segment is no integer names no tag.
function productTagIdOf(request: Request): number {
  const id = parseInteger(String(request.params.id));
  if (id === undefined) throw new AppError('not_found');
  return toId(id);
}

const v1Names: Record<string, string> = { nameEn: 'name_en', nameAr: 'name_ar', itemIds: 'item_ids', id: 'id' };

function tagOf({ productTag, userErrors }: V1ProductTagOutcomeFragment, impossibleItemIds: number[]) {
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
