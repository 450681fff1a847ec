import { AppError } from '../../kernel/errors/app-error.ts';
import { parseInteger } from './parameters.ts';

/** A form sends each item as a parameter; a few more than a tag may have, so that `too_many_items` can be reported. */
const maxParameters = 10_100;
const maxDepth = 32;

/**
 * The fields of a tag in a form: `name_en`, `name_ar`, and `item_ids[]` or `item_ids[0]` for each item; or the same within
 * `product_tag[...]`. Digits become integers, an empty `name_ar` null; an empty item stands for an empty list.
 */
export function parseForm(text: string): Record<string, unknown> {
  if (text.split('&', maxParameters + 1).length > maxParameters) throw new AppError('payload_too_large');
  const pairs = Array.from(new URLSearchParams(requireDecodable(text)));
  // `['item_ids', '']` for `item_ids[]`.
  const parameters = pairs.map(([name, value]) => ({ path: name.replaceAll(']', '').split('['), value }));
  const wrapped = parameters.filter(({ path }) => path[0] === 'product_tag');
  const isMalformed = parameters.some(({ path }) => path.length > maxDepth);
  if (isMalformed || wrapped.some(({ path }) => path.length === 1)) throw new AppError('malformed_body');
  const inner = wrapped.map(({ path, value }) => ({ path: path.slice(1), value }));
  const fields = Map.groupBy(wrapped.length > 0 ? inner : parameters, ({ path }) => path[0]);
  const nameAr = fieldOf(fields.get('name_ar'));
  const itemIds = fieldOf(fields.get('item_ids'));
  return {
    name_en: fieldOf(fields.get('name_en')),
    name_ar: nameAr === '' ? null : nameAr,
    item_ids: Array.isArray(itemIds) ? itemIds.filter((id) => id !== '').map((id) => parseInteger(id) ?? id) : itemIds,
  };
}

// URLSearchParams would replace malformed sequences.
function requireDecodable(text: string): string {
  try {
    decodeURIComponent(text);
    return text;
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}

/** A text; a list if the name has an index or is repeated; an object, which no field accepts, for other names. */
function fieldOf(parameters?: { path: string[]; value: string }[]): string | string[] | object | undefined {
  if (parameters === undefined) return undefined;
  const indices = parameters.flatMap(({ path }) => path.slice(1));
  if (indices.length > parameters.length || !indices.every((index) => /^\d*$/.test(index))) return {};
  const values = parameters.map(({ value }) => value);
  return values.length === 1 && indices.length === 0 ? values[0] : values;
}
