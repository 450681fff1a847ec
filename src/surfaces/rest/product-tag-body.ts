import type { Request } from 'express';
import { z } from 'zod';
import { maxItems } from '../../domain/partner/product-tags/product-tag.service.ts';
import { nameLength } from '../../domain/partner/product-tags/product-tag-name.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { type Expectation, messageOf, type RefusalCode } from '../../kernel/errors/catalog.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import type { UpdateProductTagInput } from './documents.generated.ts';
import { nobody, toId } from './int32.ts';
import { parseInteger } from './parameters.ts';
import { type RefusedField, RefusedFieldsError } from './refused-fields.ts';

const name = z.string().meta({ minLength: nameLength.min, maxLength: nameLength.max });

/** Parses types only: lengths, characters and items, which are described too, are the rules of the tags themselves. */
export const productTagFields = z.object({
  name_en: name.meta({ description: 'English name: 3 to 50 characters, counted without white space around them.' }),
  name_ar: name.nullable().optional().meta({
    description:
      'Arabic name, likewise, or null for none. Absent, it is none on creation, and stays as it is on an update.',
  }),
  item_ids: z
    .custom<number[]>((value) => Array.isArray(value) && value.every(Number.isInteger))
    .meta({ type: 'array', items: { type: 'integer' }, maxItems })
    .optional()
    .meta({
      description:
        'The products that the tag ends up with, exactly: others lose it. At most 10,000; a repeated id counts once. ' +
        'Absent, they are none on creation, and stay as they are on an update.',
    }),
});

const expected: Record<string, Expectation> = { name_en: 'text', name_ar: 'textOrNull', item_ids: 'integers' };

/** What a body says of a tag. */
interface ProductTagBody {
  input: UpdateProductTagInput;
  /** Items whose ids no record can have: nobody's in the input. */
  impossibleItemIds: number[];
}

/** Reads a JSON or form body, bare or wrapped in `product_tag`. Throws a RefusedFieldsError for wrong types. */
export function parseProductTagBody(request: Request): ProductTagBody {
  const fields = unwrap(request.body ?? {});
  const { data, error } = productTagFields.safeParse(request.is('urlencoded') ? typeForm(fields) : fields);
  if (error) throw new RefusedFieldsError(refusedFields(error, fields));
  const input = {
    nameEn: data.name_en,
    ...(data.name_ar !== undefined && { nameAr: data.name_ar }),
    ...(data.item_ids !== undefined && { itemIds: data.item_ids.map(toId) }),
  };
  return { input, impossibleItemIds: (data.item_ids ?? []).filter((id) => toId(id) === nobody) };
}

function unwrap(body: unknown): Record<string, unknown> {
  const fields = isRecord(body) && Object.hasOwn(body, 'product_tag') ? body.product_tag : body;
  if (!isRecord(fields)) throw new AppError('malformed_body');
  return fields;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// A form knows text alone: digits are integers, an empty `name_ar` is none, and the empty element by which browsers send
// an empty list is no element.
function typeForm(fields: Record<string, unknown>): Record<string, unknown> {
  const { name_ar: nameAr, item_ids: itemIds } = fields;
  return {
    ...fields,
    ...(nameAr === '' && { name_ar: null }),
    ...(Array.isArray(itemIds) && {
      item_ids: itemIds.filter((id) => id !== '').map((id) => (typeof id === 'string' ? (parseInteger(id) ?? id) : id)),
    }),
  };
}

function refusedFields(error: z.ZodError, fields: Record<string, unknown>): RefusedField[] {
  return [...new Set(error.issues.map((issue) => String(issue.path[0])))].map((field) => {
    const code: RefusalCode = field === 'name_en' && (fields[field] ?? null) === null ? 'required' : 'invalid_type';
    return { code, field, message: messageOf(code, currentLocale(), { expected: expected[field] ?? 'text' }) };
  });
}
