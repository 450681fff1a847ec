/** A JSON Schema, as far as the description of v1 uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Follows a reference within a document. */
export function resolve<Part>(document: unknown, part: Part): { part: Part; name?: string } {
  const { $ref } = part as { $ref?: string };
  if ($ref === undefined) return { part };
  const keys = $ref.split('/').slice(1);
  const found = keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
  return { part: (found ?? {}) as Part, name: keys.at(-1) ?? '' };
}
