import type { Request, RequestHandler, Response } from 'express';
import { idempotencyKeyHeader } from '../../domain/partner/idempotency/idempotency-key.ts';
import { type CreateContext, writesOfItems } from '../../domain/request/context.ts';
import { inCallersLane } from '../../domain/request/lanes.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { RefusalCode } from '../../kernel/errors/catalog.ts';
import { refusalMessage } from '../../kernel/errors/refusal.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { readBody } from '../../platform/http/body.ts';
import { respondJson } from '../../platform/http/response-cache.ts';
import type { Route } from '../../platform/http/routes.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagOutcomeFragment,
  V1UpdateProductTagDocument,
} from './documents.generated.ts';
import type { Execute } from './execute.ts';
import { parseInteger, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';
import { parseProductTagBody } from './product-tag-body.ts';

/** The routes of product tags. */
export function productTagRoutes(execute: Execute, createContext: CreateContext): Route[] {
  const inLane =
    (handle: (request: Request, response: Response) => Promise<void>): RequestHandler =>
    (request, response) =>
      inCallersLane(createContext(response), () => handle(request, response));

  /** Creates a tag, once for all requests with the same `Idempotency-Key`; 201 with its `Location`. */
  const create = inLane(async (request, response) => {
    const { input, impossibleItemIds } = parseProductTagBody(request);
    await countItems(response, input);
    const { outcome } = await execute(response, V1CreateProductTagDocument, { input });
    const tag = tagOf(outcome, impossibleItemIds);
    sendTag(response.location(`${request.baseUrl}/product_tags/${tag.id}`), tag, 201);
  });

  /** Updates a tag, if it has the version that `If-Match` names. The resolvers read both headers. */
  const update = inLane(async (request, response) => {
    const id = parseInteger(String(request.params.id));
    if (id === undefined) throw new AppError('not_found');
    const { input, impossibleItemIds } = parseProductTagBody(request);
    await countItems(response, input);
    const { outcome } = await execute(response, V1UpdateProductTagDocument, { id: toId(id), input });
    sendTag(response, tagOf(outcome, impossibleItemIds), 200);
  });

  async function countItems(response: Response, { itemIds = [] }: { itemIds?: number[] }): Promise<void> {
    const writes = writesOfItems(itemIds.length);
    if (writes > 0) await createContext(response).countWrites(writes);
  }

  const body = readBody('application/json', 'application/x-www-form-urlencoded');
  return [
    { methods: ['POST'], path: '/product_tags', access: 'partner', handlers: [body, create] },
    { methods: ['PUT'], path: '/product_tags/:id', access: 'partner', handlers: [body, update] },
  ];
}

type Tag = NonNullable<V1ProductTagOutcomeFragment['productTag']>;

function sendTag(response: Response, { version, ...tag }: Tag, status: number): void {
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
      const itemIds = userError.itemIds.flatMap((id) => (id === unknownId ? impossibleItemIds : id));
      return { code, field, message: refusalMessage({ code, field, itemIds }, currentLocale()) };
    }),
  );
}
