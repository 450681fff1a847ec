import type { RestExchange } from './rest-contract.ts';

/** The fields of a JSON body as the rules see them: names without white space around them, each item once. */
export function fieldsSent({ contentType, sent }: RestExchange): unknown {
  if (sent === undefined || contentType !== 'application/json') return undefined;
  try {
    return JSON.parse(sent, (key, value) => {
      if ((key === 'name_en' || key === 'name_ar') && typeof value === 'string') return value.trim().normalize('NFC');
      if (key === 'item_ids' && Array.isArray(value)) return [...new Set(value)];
      return value;
    });
  } catch {
    return undefined;
  }
}

/** Whether a body was refused for what a schema can tell. */
export function isRefusedByShape({ status, text }: RestExchange): boolean {
  const codes = ['required', 'invalid_type', 'invalid_length', 'too_many_items'];
  return status === 422 && text !== '' && codes.includes(JSON.parse(text).code);
}
