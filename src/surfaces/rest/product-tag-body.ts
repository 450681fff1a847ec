import type { Request } from 'express';
import { z } from 'zod';
import { AppError } from '../../kernel/errors/app-error.ts';
import { parseForm } from './form.ts';
import { parseInteger, toId, unknownId } from './parameters.ts';
import { invalidFields } from './problem.ts';

// One error for the whole list, which may be long.
const integers = z.preprocess(
  // Forms contain only texts, and some JSON clients send ids as texts.
  (value) =>
    Array.isArray(value) ? value.map((id) => (typeof id === 'string' ? (parseInteger(id) ?? id) : id)) : value,
  z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isInteger)),
);
const schema = z.object({ name_en: z.string(), name_ar: z.string().nullish(), item_ids: integers.optional() });
const expectations = { name_en: 'text', name_ar: 'textOrNull', item_ids: 'integers' } as const;

/** Reads the fields of a tag, bare or in `product_tag`, and checks their types; GraphQL checks their values. */
export function parseProductTagBody({ body = {} }: Request) {
  try {
    return inputOf(typeof body === 'string' ? parseForm(body) : fieldsOf(body));
  } catch (error) {
    // By default, curl sends JSON with the content type of a form.
    const isJsonAsForm = typeof body === 'string' && body.trimStart().startsWith('{');
    if (isJsonAsForm && error instanceof AppError) error.hint = 'jsonAsForm';
    throw error;
  }
}

/** Merges the fields in the wrapper with those beside it; the wrapper wins. */
function fieldsOf(body: unknown): Record<string, unknown> {
  const wrapper = isRecord(body) && Object.hasOwn(body, 'product_tag') ? body.product_tag : {};
  if (!isRecord(body) || !isRecord(wrapper)) throw new AppError('malformed_body');
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
      ...(itemIds !== undefined && { itemIds: itemIds.map(toId) }),
    },
    /** Item ids above 32 bits, which are `unknownId` in the input. */
    impossibleItemIds: [...new Set(itemIds?.filter((id) => toId(id) === unknownId))],
  };
}
