import { AppError } from '../../kernel/errors/app-error.ts';
import { invalidParameters } from './parameters.ts';

/** One parameter for each item: slightly more than a tag can have, so that `too_many_items` can be reported. */
const maxParameters = 10_100;

type Parameter = [name: string, value: string];

export class Form {
  readonly #parameters: readonly Parameter[];
  /** By default, curl sends JSON with the content type of a form. */
  readonly isJson: boolean;

  constructor(parameters: readonly Parameter[], isJson = false) {
    this.#parameters = parameters;
    this.isJson = isJson;
  }

  get(name: string): string | undefined {
    return this.#parameters.findLast(([each]) => each === name)?.[1];
  }

  /**
   * The fields of a tag: `name_en`, `name_ar`, and `item_ids`, `item_ids[]` or `item_ids[0]` for each item, bare or
   * within `product_tag[...]`. An empty `name_ar` means null.
   */
  fields(): Record<string, unknown> {
    // Neither a text nor a list has fields.
    if (this.#parameters.some(([name]) => /^product_tag(?:\[\d*\]|$)/.test(name)))
      throw invalidParameters(['product_tag'], 'object');
    const readField = (field: string, isList = false) =>
      this.#find(`product_tag[${field}]`, isList) ?? this.#find(field, isList);
    const nameAr = readField('name_ar');
    return {
      name_en: readField('name_en'),
      name_ar: nameAr === '' ? null : nameAr,
      item_ids: readField('item_ids', true),
    };
  }

  /** The text or list of a field, or undefined. Other brackets in its name return an object, which no field accepts. */
  #find(name: string, isList: boolean): string | string[] | object | undefined {
    const found = this.#parameters.filter(([each]) => each === name || each.startsWith(`${name}[`));
    const values = found.map(([, value]) => value);
    if (!isList && found.every(([each]) => each === name) && values.length <= 1) return values[0];
    if (values.length === 0) return undefined;
    return found.every(([each]) => /^(?:\[\d*\])?$/.test(each.slice(name.length))) ? values : {};
  }
}

export function parseForm(text: string): Form {
  if (text.split('&', maxParameters + 1).length > maxParameters) throw new AppError('payload_too_large');
  const isJson = text.trimStart().startsWith('{');
  try {
    // URLSearchParams replaces what is malformed.
    decodeURIComponent(text);
  } catch (cause) {
    throw new AppError('malformed_body', { cause, ...(isJson && { hint: 'jsonAsForm' }) });
  }
  return new Form([...new URLSearchParams(text)], isJson);
}
