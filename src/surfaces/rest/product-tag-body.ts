import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../kernel/errors/app-error.ts';
import { admitBody, decodeUtf8, getMediaType, parseJson } from '../../platform/http/body.ts';
import { readMultipart } from '../../platform/http/multipart.ts';
import { getContext } from '../request/context.ts';
import { Form, parseForm } from './form.ts';
import { invalidParameters, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';

const jsonType = 'application/json';
const multipartType = 'multipart/form-data';
export const formTypes = ['application/x-www-form-urlencoded', multipartType];
export const bodyTypes = [jsonType, ...formTypes];

/** The most parts of a multipart body, because each takes 0.1 ms. */
const maxParts = 1_000;

/** An integer, or the digits of a text that no number represents. */
type ItemId = number | string;

// One error for the whole list, which may be long.
const integers = z.preprocess(
  (value) => (Array.isArray(value) ? value.flatMap(toIds) : value),
  z.custom<ItemId[]>(
    (value) =>
      Array.isArray(value) && value.every((id) => Number.isInteger(id) || (typeof id === 'string' && isDigits(id))),
  ),
);
// The resolver of updates rejects null in place of a list.
const schema = z.object({ name_en: z.string(), name_ar: z.string().nullish(), item_ids: integers.nullish() });
const expectations = { name_en: 'text', name_ar: 'textOrNull', item_ids: 'integers' } as const;

/** Parses the body of a request, once it is admitted: a form, or JSON. */
export async function readBody(request: Request, response: Response): Promise<void> {
  if (request.body !== undefined) return;
  const bytes = await admitBody(request, response, getContext(response).admission);
  if (bytes === undefined) return;
  const type = getMediaType(request);
  if (type === multipartType) {
    const limits = { max: maxParts, supported: bodyTypes };
    request.body = new Form(await readMultipart(bytes, request.headers['content-type'] ?? '', limits));
  } else request.body = type === jsonType ? parseJson(bytes) : parseForm(decodeUtf8(bytes));
}

/** The fields of a tag, bare or in `product_tag`, with their types checked; GraphQL checks their values. */
export function productTagInput({ body = {} }: Request) {
  if (!(body instanceof Form)) return toInput(unwrapFields(body));
  try {
    return toInput(body.fields());
  } catch (error) {
    if (body.isJson && error instanceof AppError) error.hint = 'jsonAsForm';
    throw error;
  }
}

/**
 * An element of `item_ids`, or nothing for null and blank texts, which Rails ignores. Forms contain only texts, and some JSON
 * clients send ids as texts: parses their decimal digits, but keeps the first digits of an integer that would be rounded.
 */
function toIds(element: unknown): unknown[] {
  if (typeof element !== 'string') return element === null ? [] : [element];
  const text = element.trim();
  if (text === '') return [];
  const number = Number(text);
  return [isDigits(text) && Number.isSafeInteger(number) ? number : text.slice(0, maxIdLength)];
}

const maxIdLength = 100;

function isDigits(text: string): boolean {
  return /^-?\d+$/.test(text);
}

/** Merges the fields in the wrapper with those beside it; the wrapper wins. */
function unwrapFields(body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw new AppError('malformed_body');
  const wrapper = Object.hasOwn(body, 'product_tag') ? body.product_tag : {};
  if (!isRecord(wrapper)) throw invalidParameters(['product_tag'], 'object');
  const readField = (name: string) => (Object.hasOwn(wrapper, name) ? wrapper[name] : body[name]);
  return { name_en: readField('name_en'), name_ar: readField('name_ar'), item_ids: readField('item_ids') };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toInput(fields: Record<string, unknown>) {
  const { data, error } = schema.safeParse(fields);
  if (error !== undefined) {
    throw invalidFields(
      error.issues.map(({ path }) => {
        const field = path[0] as keyof typeof expectations;
        const code = field === 'name_en' && (fields.name_en ?? null) === null ? 'required' : 'invalid_type';
        return { code, path: [field], values: { expected: expectations[field] } };
      }),
    );
  }
  const { name_en: nameEn, name_ar: nameAr, item_ids: itemIds } = data;
  return {
    input: {
      nameEn,
      ...(nameAr !== undefined && { nameAr }),
      ...(itemIds !== undefined && { itemIds: itemIds?.map(toId) ?? null }),
    },
    /** Item ids above 32 bits, which are `unknownId` in the input, as they were sent. */
    impossibleItemIds: [...new Set(itemIds?.filter((id) => toId(id) === unknownId).map(String))],
  };
}
