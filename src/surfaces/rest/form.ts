import { AppError } from '../../kernel/errors/app-error.ts';

/** One parameter for each item: slightly more than a tag can have, so that `too_many_items` can be reported. */
const maxParameters = 10_100;

/**
 * Reads the fields of a tag from a form: `name_en`, `name_ar`, and `item_ids`, `item_ids[]` or `item_ids[0]` for each
 * item, bare or within `product_tag[...]`. An empty `name_ar` means null; an empty item means an empty list.
 */
export function parseForm(text: string): Record<string, unknown> {
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters) throw new AppError('payload_too_large');
  const parameters = pairs.filter((pair) => pair !== '').map(decodePair);
  if (parameters.some(([name]) => name === 'product_tag')) throw new AppError('malformed_body');

  /** The text or list of a field, or undefined. Other brackets in its name return an object, which no field accepts. */
  function find(name: string, isList: boolean): string | string[] | object | undefined {
    const found = parameters.filter(([each]) => each === name || each.startsWith(`${name}[`));
    const values = found.map(([, value]) => value);
    if (!isList && found.every(([each]) => each === name) && values.length <= 1) return values[0];
    if (values.length === 0) return undefined;
    return found.every(([each]) => /^(?:\[\d*\])?$/.test(each.slice(name.length))) ? values : {};
  }

  const fieldOf = (field: string, isList = false) => find(`product_tag[${field}]`, isList) ?? find(field, isList);
  const nameAr = fieldOf('name_ar');
  const itemIds = fieldOf('item_ids', true);
  return {
    name_en: fieldOf('name_en'),
    name_ar: nameAr === '' ? null : nameAr,
    item_ids: Array.isArray(itemIds) ? itemIds.filter((id) => id !== '') : itemIds,
  };
}

function decodePair(pair: string): [name: string, value: string] {
  const [name = '', ...value] = pair.replaceAll('+', ' ').split('=');
  try {
    return [decodeURIComponent(name), decodeURIComponent(value.join('='))];
  } catch (cause) {
    throw new AppError('malformed_body', { cause });
  }
}
