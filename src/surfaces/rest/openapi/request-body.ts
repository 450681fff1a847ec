import type { ExampleObject, RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31';
import type { z } from 'zod';
import { objectSchema } from './answer-schema.ts';
import { jsonSchemaOf } from './parameters.ts';

/** A body as JSON or as a form, its fields bare or wrapped in `product_tag`. */
export function requestBodyOf(body: z.ZodObject, examples: Record<string, ExampleObject>): RequestBodyObject {
  const fields: SchemaObject = {
    title: 'ProductTagFields',
    description: 'What a tag is to be. Other fields are ignored.',
    ...jsonSchemaOf(body, 'input'),
  };
  const wrapped: SchemaObject = {
    title: 'WrappedProductTagFields',
    description: 'The same, as Rails clients send it.',
    ...objectSchema({ product_tag: { allOf: [fields], description: 'The fields of the tag.' } }),
    additionalProperties: true,
  };
  return {
    required: true,
    description: 'The fields of the tag, bare or wrapped in `product_tag`.',
    content: {
      'application/json': { schema: { anyOf: [fields, wrapped] }, examples },
      'application/x-www-form-urlencoded': { schema: formOf(fields) },
    },
  };
}

// In a form, a list is a field of its own for each element, and what is empty is none.
function formOf({ properties = {}, required = [] }: SchemaObject): SchemaObject {
  const fields = Object.entries(properties as Record<string, SchemaObject>).map(([name, property]) => {
    if (property.type === 'array') return [`${name}[]`, property];
    const { anyOf: [text] = [property], description } = property;
    return [name, { ...text, ...(property.anyOf && { minLength: 0 }), description }];
  });
  return {
    title: 'ProductTagForm',
    type: 'object',
    description: 'A form: an empty `name_ar` is none. Wrapped, its fields are `product_tag[name_en]` and so on.',
    properties: Object.fromEntries(fields),
    required,
  };
}
