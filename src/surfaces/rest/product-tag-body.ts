import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../kernel/errors/app-error.ts';
import { readMultipart } from '../../platform/http/multipart.ts';
import { decompressedBody, mediaTypeOf, parseJson, textOf } from '../../platform/http/parse-body.ts';
import { Form, maxParameters, parseForm } from './form.ts';
import { invalidParameters, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';

const jsonType = 'application/json';
const multipartType = 'multipart/form-data';
export const formTypes = ['application/x-www-form-urlencoded', multipartType];
export const bodyTypes = [jsonType, ...formTypes];

/** An integer, also one that a number cannot represent. */
type ItemId = number | bigint;

// One error for the whole list, which may be long.
const integers = z.preprocess(
  // Forms contain only texts, and some JSON clients send ids as texts.
  (value) => (Array.isArray(value) ? value.map((id) => (typeof id === 'string' ? exactInteger(id) : id)) : value),
  z.custom<ItemId[]>(
    (value) => Array.isArray(value) && value.every((id) => typeof id === 'bigint' || Number.isInteger(id)),
  ),
);
// The resolver of updates rejects null in place of a list.
const schema = z.object({ name_en: z.string(), name_ar: z.string().nullish(), item_ids: integers.nullish() });
const expectations = { name_en: 'text', name_ar: 'textOrNull', item_ids: 'integers' } as const;

/** Parses the body of a request, once: a form, or JSON. Runs in its caller's slot, as it is slow. */
export async function readBody(request: Request, response: Response): Promise<void> {
  if (request.body !== undefined) return;
  const bytes = await decompressedBody(request, response);
  if (bytes === undefined) return;
  const type = mediaTypeOf(request);
  if (type === multipartType) {
    const limits = { max: maxParameters, supported: bodyTypes };
    request.body = new Form(await readMultipart(bytes, request.headers['content-type'] ?? '', limits));
  } else request.body = type === jsonType ? parseExactly(textOf(bytes)) : parseForm(textOf(bytes));
}

/** The fields of a tag, bare or in `product_tag`, with their types checked; GraphQL checks their values. */
export function productTagInput({ body = {} }: Request) {
  if (!(body instanceof Form)) return inputOf(fieldsOf(body));
  try {
    return inputOf(body.fields());
  } catch (error) {
    if (body.isJson && error instanceof AppError) error.hint = 'jsonAsForm';
    throw error;
  }
}

/** Parses JSON, with item ids that a number cannot represent as bigints. */
function parseExactly(text: string): object {
  const body: { item_ids?: unknown; product_tag?: { item_ids?: unknown } | null } = parseJson(text);
  const ids = [body.item_ids, body.product_tag?.item_ids].flat();
  const isExact = ids.every((id) => typeof id !== 'number' || Math.abs(id) <= Number.MAX_SAFE_INTEGER);
  return isExact ? body : JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

// Slow, because it is called for every value.
function exact(_key: string, value: unknown, { source = '' }: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  if (Number.isSafeInteger(value)) return value;
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d*?)0*)?(?:e(.*))?$/i.exec(source) ?? [];
  const digits = whole + fraction;
  // 9007199254740993.5 is rounded to an integer; 9.007199254740993e15 is one.
  const zeros = Number(exponent) - fraction.length;
  if (zeros > maxDigits) return value;
  if (zeros >= 0) return exactInteger(digits + '0'.repeat(zeros));
  return /^0+$/.test(digits.slice(zeros)) ? exactInteger(digits.slice(0, zeros)) : Number.NaN;
}

const maxDigits = 100;

/** Parses decimal digits without rounding; returns other texts. */
function exactInteger(text: string): ItemId | string {
  if (!/^-?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text.replace(/^(-?)0+/, '$1').slice(0, maxDigits));
}

/** Merges the fields in the wrapper with those beside it; the wrapper wins. */
function fieldsOf(body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw new AppError('malformed_body');
  const wrapper = Object.hasOwn(body, 'product_tag') ? body.product_tag : {};
  if (!isRecord(wrapper)) throw invalidParameters(['product_tag'], 'object');
  return { ...body, ...wrapper };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inputOf(fields: Record<string, unknown>) {
  const { data, error } = schema.safeParse(fields);
  if (error !== undefined) {
    throw invalidFields(
      error.issues.map(({ path }) => {
        const field = path[0] as keyof typeof expectations;
        const code = field === 'name_en' && (fields.name_en ?? null) === null ? 'required' : 'invalid_type';
        return { code, field, values: { expected: expectations[field] } };
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
