import { AppError } from '../../kernel/errors/app-error.ts';
import { parseInteger } from './parameters.ts';

/** A form sends each item as a parameter; a few more than a tag may have, so that `too_many_items` can be reported. */
const maxParameters = 10_100;

/**
 * The fields of a tag in a form: `name_en`, `name_ar`, and `item_ids[]` or `item_ids[0]` for each item; or the same within
 * `product_tag[...]`. Digits become integers, an empty `name_ar` null; an empty item stands for an empty list.
 */
export function parseForm(text: string): Record<string, unknown> {
  if (text.split('&', maxParameters + 1).length > maxParameters) throw new AppError('payload_too_large');
  requireDecodable(text);
  const parameters = [...new URLSearchParams(text)];
  if (parameters.some(([name]) => name === 'product_tag')) throw new AppError('malformed_body');
  const isWrapped = parameters.some(([name]) => name.startsWith('product_tag['));

  /** A text; a list if the name has an index or is repeated; an object, which no field accepts, for other names. */
  function fieldOf(field: string): string | string[] | object | undefined {
    const name = isWrapped ? `product_tag[${field}]` : field;
    const found = parameters.filter(([each]) => each === name || each.startsWith(`${name}[`));
    const values = found.map(([, value]) => value);
    if (values.length <= 1 && found.every(([each]) => each === name)) return values[0];
    return found.every(([each]) => /^(?:\[\d*\])?$/.test(each.slice(name.length))) ? values : {};
  }

  const nameAr = fieldOf('name_ar');
  const itemIds = fieldOf('item_ids');
  return {
    name_en: fieldOf('name_en'),
    name_ar: nameAr === '' ? null : nameAr,
    item_ids: Array.isArray(itemIds) ? itemIds.filter((id) => id !== '').map((id) => parseInteger(id) ?? id) : itemIds,
  };
}

// URLSearchParams would replace malformed sequences.
function requireDecodable(text: string): void {
  try {
    decodeURIComponent(text);
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}
