import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../kernel/errors/app-error.ts';
import { decodeUtf8, getMediaType, parseJson, readThenEnter } from '../../platform/http/body.ts';
import { readMultipart } from '../../platform/http/multipart.ts';
import { getContext } from '../request/context.ts';
import { Form, parseForm } from './form.ts';
import { invalidParameters, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';

const jsonType = 'application/json';
const multipartType = 'multipart/form-data';
export const formTypes = ['application/x-www-form-urlencoded', multipartType];
export const bodyTypes = [jsonType, ...formTypes];

/** Each part of a multipart body takes a while to parse. */
const maxParts = 1_000;

/** An integer, or its digits if no number represents it. */
type ItemId = number | string;

// One error for the whole list, which may be long.
const integers = z.preprocess(
  (value) => (Array.isArray(value) ? value.flatMap(parseItemId) : value),
  z.custom<ItemId[]>(
    (value) =>
      Array.isArray(value) && value.every((id) => Number.isInteger(id) || (typeof id === 'string' && isDigits(id))),
  ),
);
// GraphQL rejects null for the list of an update.
const schema = z.object({ name_en: z.string(), name_ar: z.string().nullish(), item_ids: integers.nullish() });
const expectations = { name_en: 'text', name_ar: 'textOrNull', item_ids: 'integers' } as const;

/** Waits for admission, then parses the body, unless that has been done. */
export async function readBody(request: Request, response: Response): Promise<void> {
  if (request.body !== undefined) return;
  const bytes = await readThenEnter(request, response, getContext(response).admission);
  if (bytes === undefined) return;
  const type = getMediaType(request);
  if (type === multipartType) {
    const limits = { max: maxParts, supported: bodyTypes };
    request.body = new Form(await readMultipart(bytes, request.headers['content-type'] ?? '', limits));
  } else request.body = type === jsonType ? parseJson(bytes) : parseForm(decodeUtf8(bytes));
}

/** Checks the types of the fields, bare or in `product_tag`; GraphQL checks their values. */
export function parseTagInput({ body = {} }: Request) {
  if (!(body instanceof Form)) return toInput(unwrapFields(body));
  try {
    return toInput(body.readTagFields());
  } catch (error) {
    if (body.isJson && error instanceof AppError) error.hint = 'jsonAsForm';
    throw error;
  }
}

/** As in Rails, drops a null or blank id, and parses a string. An id that a number would round stays a string. */
function parseItemId(element: unknown): unknown[] {
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

/** Fields in the wrapper win. */
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
    /** Item ids beyond 32 bits as they were sent; the input has `unknownId` for them. */
    outOfRangeItemIds: [...new Set(itemIds?.filter((id) => toId(id) === unknownId).map(String))],
  };
}
