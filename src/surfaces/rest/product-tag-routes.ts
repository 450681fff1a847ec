import type { RequestHandler, Response } from 'express';
import { messageValues } from '../../domain/partner/product-tags/product-tags.queries.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { acceptBody, checkContentType, getMediaType, hasBody } from '../../platform/http/body.ts';
import { isMethod, type Route } from '../../platform/http/routes.ts';
import { sendJson } from '../../platform/http/send.ts';
import { getContext } from '../request/context.ts';
import { parseIdempotencyKey, parseVersionCondition } from './conditions.ts';
import {
  V1CreateProductTagDocument,
  type V1ProductTagFragment,
  V1UpdateProductTagDocument,
  type V1UserErrorFragment,
} from './documents.generated.ts';
import { parseInteger, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';
import { bodyTypes, formTypes, parseTagInput, readBody } from './product-tag-body.ts';
import type { RunDocument } from './run-document.ts';

export function productTagRoutes(runDocument: RunDocument): Route[] {
  const create: RequestHandler = async (request, response) => {
    await readBody(request, response);
    const { input, outOfRangeItemIds } = parseTagInput(request);
    const context = getContext(response);
    context.idempotencyKey = parseIdempotencyKey(request.headers);
    const { payload } = await runDocument(context, V1CreateProductTagDocument, { input });
    const tag = requireTag(payload, outOfRangeItemIds);
    if (payload?.replayed) response.set('Idempotency-Replayed', 'true');
    sendTag(response.location(`${request.baseUrl}/product_tags/${tag.id}`), tag, 201);
  };

  const update: RequestHandler = async (request, response) => {
    await readBody(request, response);
    const id = parseInteger(String(request.params.id));
    if (id === undefined) throw new AppError('not_found');
    const { input, outOfRangeItemIds } = parseTagInput(request);
    const context = getContext(response);
    context.versionCondition = parseVersionCondition(request.headers);
    const { payload } = await runDocument(context, V1UpdateProductTagDocument, { id: toId(id), input });
    sendTag(response, requireTag(payload, outOfRangeItemIds), 200);
  };

  const body = acceptBody(...bodyTypes);
  const shared = { access: 'partner', override: overrideMethod } as const;
  return [
    {
      ...shared,
      methods: ['POST'],
      path: '/product_tags',
      handlers: [body, create],
      hints: { GET: 'listTags', HEAD: 'listTags', DELETE: 'deleteTag' },
    },
    {
      ...shared,
      methods: ['PUT', 'PATCH'],
      path: '/product_tags/:id',
      handlers: [body, update],
      hints: { GET: 'readTag', HEAD: 'readTag', DELETE: 'deleteTag' },
    },
  ];
}

/** As in Rails, a POST may name another method: in `_method` of its form, or else in `X-HTTP-Method-Override`. */
const overrideMethod: RequestHandler = async (request, response, next) => {
  const isForm = hasBody(request) && formTypes.includes(getMediaType(request));
  const header = request.get('X-HTTP-Method-Override');
  if (request.method !== 'POST' || !(isForm || header)) return next();
  // Rejects callers without write access before waiting for the body.
  await getContext(response).requireWriteAccess();
  if (isForm) {
    checkContentType(request, formTypes);
    await readBody(request, response);
  }
  const requested = (isForm ? request.body.get('_method') : undefined) ?? header;
  request.method = resolveMethod(requested?.toUpperCase() ?? '');
  next();
};

const rackMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'LINK', 'UNLINK'];

/**
 * The method that a POST runs as: POST if Rack would ignore the requested one, or UNLINK, which no route has, if it is not a
 * write: GET would read, and a response to HEAD has no body.
 */
export function resolveMethod(requested: string): string {
  if (!rackMethods.includes(requested)) return 'POST';
  return isMethod(requested) && requested !== 'GET' && requested !== 'HEAD' ? requested : 'UNLINK';
}

function sendTag(response: Response, { version, ...tag }: V1ProductTagFragment, status: number): void {
  sendJson(response.set('ETag', `"${version}"`), status, tag);
}

const v1Names: Record<string, string> = {
  nameEn: 'name_en',
  nameAr: 'name_ar',
  itemIds: 'item_ids',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
};

interface TagPayload {
  productTag: V1ProductTagFragment | null;
  userErrors: V1UserErrorFragment[];
}

/** Throws the user errors of a payload, with fields and ids as the client sent them. */
function requireTag(payload: TagPayload | null, outOfRangeItemIds: string[]): V1ProductTagFragment {
  const { productTag = null, userErrors = [] } = payload ?? {};
  if (productTag !== null) return productTag;
  const error = invalidFields(
    userErrors.map(({ code, field, itemIds }) => {
      const name = field?.at(-1) ?? '';
      const sent = (itemIds ?? []).flatMap((id): (number | string)[] => (id === unknownId ? outOfRangeItemIds : [id]));
      return {
        code: code.toLowerCase() as Lowercase<typeof code>,
        path: [v1Names[name] ?? name],
        ids: { itemIds: sent },
        values: messageValues,
      };
    }),
  );
  if (userErrors.some(({ field }) => field?.at(-1) === 'ifNoneMatch')) error.hint = 'ifNoneMatch';
  throw error;
}
