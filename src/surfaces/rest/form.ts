import { AppError } from '../../kernel/errors/app-error.ts';
import { invalidParameters } from './parameters.ts';

/** Slightly more than the items of a tag, so that `too_many_items` can be reported. */
const maxParameters = 10_100;

type Parameter = [name: string, value: string];

export class Form {
  readonly #parameters: readonly Parameter[];
  /** Whether the body looks like JSON, which curl sends as a form by default. */
  readonly isJson: boolean;

  constructor(parameters: readonly Parameter[], isJson = false) {
    this.#parameters = parameters;
    this.isJson = isJson;
  }

  get(name: string): string | undefined {
    return this.#parameters.findLast(([parameter]) => parameter === name)?.[1];
  }

  /** `name_en`, `name_ar` (empty for null) and `item_ids[]` or `item_ids[0]`, bare or within `product_tag[...]`. */
  readTagFields(): Record<string, unknown> {
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

  /** Brackets other than `[]` make the value an object, which no field accepts. */
  #find(name: string, isList: boolean): string | string[] | object | undefined {
    const found = this.#parameters.filter(([key]) => key === name || key.startsWith(`${name}[`));
    const values = found.map(([, value]) => value);
    if (!isList && found.every(([key]) => key === name) && values.length <= 1) return values[0];
    if (values.length === 0) return undefined;
    return found.every(([key]) => /^(?:\[\d*\])?$/.test(key.slice(name.length))) ? values : {};
  }
}

export function parseForm(text: string): Form {
  if (text.split('&', maxParameters + 1).length > maxParameters) throw new AppError('payload_too_large');
  const isJson = text.trimStart().startsWith('{');
  try {
    // Throws for malformed text, which URLSearchParams would replace.
    decodeURIComponent(text);
  } catch (cause) {
    throw new AppError('malformed_body', { cause, ...(isJson && { hint: 'jsonAsForm' }) });
  }
  return new Form([...new URLSearchParams(text)], isJson);
}
