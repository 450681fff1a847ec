import { isAnnotation } from './members.ts';
import { target } from './reference.ts';

/** A JSON Schema, with what is judged of it by itself. */
export interface SchemaObject {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export type Schema = SchemaObject | boolean;

/**
 * A schema without what is only said about it, and with what it refers to in its place. A reference beside other keywords, or
 * alone in `allOf`, is the same as the one without the other.
 */
export function opened(document: unknown, schema: Schema = {}): { schema: SchemaObject; name?: string } {
  if (typeof schema === 'boolean') return { schema: schema ? {} : ({ not: {} } as SchemaObject) };
  const { $ref, ...rest } = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
  const parts = [...($ref === undefined ? [] : [{ $ref }]), ...(rest.allOf ?? [])];
  if (parts.length === 0) return { schema: rest };
  if (parts.length > 1 || Object.keys(rest).some((keyword) => keyword !== 'allOf')) {
    return { schema: { ...rest, allOf: parts } };
  }
  const [only] = parts;
  if ($ref === undefined) return opened(document, only);
  const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? [];
  return { ...(name === undefined ? {} : { name }), ...opened(document, target(document, $ref)) };
}

/** The types of the values of a schema; undefined where any will do. */
export function typesOf({ type, ...schema }: SchemaObject): string[] | undefined {
  if (type !== undefined) return [type].flat();
  return valuesOf(schema)?.map((value) => {
    if (value === null) return 'null';
    if (Array.isArray(value)) return 'array';
    return Number.isInteger(value) ? 'integer' : typeof value;
  });
}

/** The values of a schema, where they are listed. */
export function valuesOf(schema: SchemaObject): unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum;
}
