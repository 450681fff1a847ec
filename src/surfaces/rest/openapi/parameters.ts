import type { ParameterObject, ReferenceObject, SchemaObject } from 'openapi3-ts/oas31';
import { z } from 'zod';
import { idempotencyKeyHeader } from '../../../domain/partner/idempotency/idempotency-key.ts';

/** The request headers that v1 reads, but for the token. */
export const headerParameters = {
  AcceptLanguage: header(
    'Accept-Language',
    'Preferred languages of names and messages; English when neither is among them.',
    {
      examples: { en: { summary: 'English', value: 'en' }, ar: { summary: 'Arabic', value: 'ar' } },
    },
  ),
  RequestId: header(
    'X-Request-Id',
    'Names the request in the answer and in the log of the service, if it is acceptable.',
    {
      schema: { type: 'string', pattern: '^[\\w.:-]{8,128}$' },
    },
  ),
  IfNoneMatch: header('If-None-Match', 'The `ETag` of an answer that is at hand: 304 while it is still the same.'),
  IdempotencyKey: header(
    idempotencyKeyHeader,
    'Made by the client, such as a UUID, new for each tag. 1 to 255 printable ASCII characters, as they are or as a quoted string. For 24 ' +
      'hours the same tag under the same key is created once, and a retry gets the first answer.',
    { schema: { type: 'string', pattern: '^[ -~]+$' } },
  ),
  IfMatch: header(
    'If-Match',
    'The `ETag` of the version that is to be changed, `*`, or a list; 412 where the tag has another one. Without it, the ' +
      'last write wins.',
  ),
} satisfies Record<string, ParameterObject>;

export type HeaderParameter = keyof typeof headerParameters;

export function parameterReference(name: HeaderParameter): ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

/** The parameters that a route parses, as it parses them. */
export function parametersOf(place: 'query' | 'path', schema: z.ZodObject | undefined): ParameterObject[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : jsonSchemaOf(schema, 'output');
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...rest } = property as SchemaObject;
    return { name, in: place, required: required.includes(name), description, schema: rest };
  });
}

/** The JSON Schema of what a schema takes in, or gives. */
export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): SchemaObject {
  const { $schema, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return jsonSchema as SchemaObject;
}

function header(name: string, description: string, more: Partial<ParameterObject> = {}): ParameterObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string' }, ...more };
}
