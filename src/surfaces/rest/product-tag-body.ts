import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type RequestHandler } from 'express';
import { AppError } from '../../kernel/errors/app-error.ts';
import { type Expectation, messageOf, type RefusalCode } from '../../kernel/errors/catalog.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { bodyLimit, hasBody, requireFittingBody, verifyText } from '../../platform/http/body.ts';
import type { UpdateProductTagInput } from './documents.generated.ts';
import { parseForm } from './form.ts';
import { toId, unknownId } from './parameters.ts';
import { type InvalidField, invalidFields } from './problem.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

const requireJsonOrForm: RequestHandler = (request, _response, next) => {
  if (hasBody(request) && !request.is([json, form])) {
    throw new AppError('unsupported_media_type', { values: { supported: [json, form] } });
  }
  next();
};

function verifyForm(request: IncomingMessage, response: ServerResponse, body: Buffer, charset: string): void {
  if (charset !== 'utf-8') {
    throw new AppError('unsupported_media_type', { values: { supported: `${form}; charset=utf-8` } });
  }
  verifyText(request, response, body, charset);
}

/** Reads a body: JSON as its value, a form as its text. */
export const readBody: RequestHandler[] = [
  requireJsonOrForm,
  requireFittingBody,
  express.json({ limit: bodyLimit, verify: verifyText }),
  express.text({ type: form, limit: bodyLimit, verify: verifyForm }),
];

interface ProductTagBody {
  input: UpdateProductTagInput;
  /** Item ids beyond 32 bits: `unknownId` in the input. */
  impossibleItemIds: number[];
}

/**
 * The fields of a tag, bare or wrapped in `product_tag`. Rejects missing fields and wrong types;
 * GraphQL checks lengths, characters and items.
 */
export function parseProductTagBody({ body = {} }: Request): ProductTagBody {
  const fields = typeof body === 'string' ? parseForm(body) : unwrap(body);
  const { name_en: nameEn, name_ar: nameAr, item_ids: itemIds } = fields;
  const isName = typeof nameEn === 'string';
  const isNameOrAbsent = typeof nameAr === 'string' || nameAr === null || nameAr === undefined;
  const areIdsOrAbsent = itemIds === undefined || isIntegers(itemIds);
  if (!isName || !isNameOrAbsent || !areIdsOrAbsent) {
    throw invalidFields([
      ...(isName ? [] : [invalid((nameEn ?? null) === null ? 'required' : 'invalid_type', 'name_en', 'text')]),
      ...(isNameOrAbsent ? [] : [invalid('invalid_type', 'name_ar', 'textOrNull')]),
      ...(areIdsOrAbsent ? [] : [invalid('invalid_type', 'item_ids', 'integers')]),
    ]);
  }
  return {
    input: {
      nameEn,
      ...(nameAr !== undefined && { nameAr }),
      ...(itemIds !== undefined && { itemIds: itemIds.map(toId) }),
    },
    impossibleItemIds: (itemIds ?? []).filter((id) => toId(id) === unknownId),
  };
}

function unwrap(body: unknown): Record<string, unknown> {
  const fields = isRecord(body) && Object.hasOwn(body, 'product_tag') ? body.product_tag : body;
  if (!isRecord(fields)) throw new AppError('malformed_body');
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIntegers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(Number.isInteger);
}

function invalid(code: RefusalCode, field: string, expected: Expectation): InvalidField {
  return { code, field, message: messageOf(code, currentLocale(), { field, expected }) };
}
