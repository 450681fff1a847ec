import type { Part } from './contract-parts.ts';

// biome-ignore lint/suspicious/noExplicitAny: any part of a document is changed
type Any = any;

export interface Mutation {
  name: string;
  /** The members that it changes. */
  of: string[];
  /** The kinds of parts that it is for; all, where it does not say. */
  kinds?: Part['kind'][];
  where: (part: Any) => boolean;
  change: (part: Any) => unknown;
  /** The directions of the parts where it breaks clients. */
  breaks: Part['direction'][];
}

const both: Part['direction'][] = ['request', 'response'];

/** Changes of any part, and of schemas that have a keyword or have not. */
export const mutations: Mutation[] = [
  {
    name: 'a member that nobody knows',
    of: [],
    where: ({ $ref }) => $ref === undefined,
    change: (part) => Object.assign(part, { unheardOf: [1] }),
    breaks: both,
  },
  {
    name: 'other words',
    of: ['title', 'summary', 'description', 'example', 'examples'],
    where: ({ $ref }) => $ref === undefined,
    change: (part) =>
      Object.assign(part, { summary: 'S', description: 'D', example: 1, deprecated: true, 'x-note': 1 }),
    breaks: [],
  },
  ...[
    // Of what is there already, less.
    when('type', 'another type', (part) => Object.assign(part, { type: 'boolean' }), both),
    when('type', 'null too', (part) => Object.assign(part, { type: [...new Set([part.type, 'null'].flat())] }), [], {
      where: ({ type }) => [type].flat().includes('null'),
    }),
    when(
      'type',
      'null as it was not',
      (part) => Object.assign(part, { type: [part.type, 'null'].flat() }),
      ['response'],
      {
        where: ({ type }) => ![type].flat().includes('null'),
      },
    ),
    when('type', 'no null', (part) => Object.assign(part, { type: 'string' }), ['request'], {
      where: ({ type }) => [type].flat().includes('null') && type.length > 1,
    }),
    when('const', 'another constant', (part) => Object.assign(part, { const: 'another' }), both),
    when('enum', 'a value fewer', (part) => part.enum.pop(), ['request']),
    when('enum', 'a value more', (part) => part.enum.push('another'), ['response']),
    when('pattern', 'another pattern', (part) => Object.assign(part, { pattern: '^another$' }), both),
    when('format', 'another format', (part) => Object.assign(part, { format: 'int64' }), ['response']),
    when('minLength', 'a higher minLength', (part) => Object.assign(part, { minLength: 9 }), ['request']),
    when('maxLength', 'a higher maxLength', (part) => Object.assign(part, { maxLength: 99 }), ['response']),
    when('maxLength', 'a lower maxLength', (part) => Object.assign(part, { maxLength: 9 }), ['request']),
    when('minimum', 'a higher minimum', (part) => Object.assign(part, { minimum: 9 }), ['request']),
    when('minItems', 'no minItems', (part) => delete part.minItems, ['response']),
    when('maxItems', 'a lower maxItems', (part) => Object.assign(part, { maxItems: 9 }), ['request']),
    when('items', 'no items', (part) => delete part.items, ['response']),
    when('items', 'other items', (part) => Object.assign(part, { items: { type: 'boolean' } }), both),
    when('$ref', 'a reference to another schema', repointed, both),
    when('$ref', 'a keyword beside a reference', (part) => Object.assign(part, { unheardOf: 1 }), both),
    when('allOf', 'one more of all', (part) => part.allOf.push({ required: ['another'] }), both),
    when('anyOf', 'one of any fewer', (part) => part.anyOf.pop(), ['request']),
    when('anyOf', 'one of any more', (part) => part.anyOf.push({ type: 'array' }), ['response']),
    when('oneOf', 'one of one fewer', (part) => part.oneOf.pop(), ['request']),
    when('oneOf', 'one of one more', (part) => part.oneOf.push({ type: 'boolean' }), ['response']),
    when(
      'properties',
      'a property fewer',
      (part) => delete part.properties[Object.keys(part.properties)[0] ?? ''],
      both,
    ),
    when('properties', 'another property', (part) => Object.assign(part.properties, { another: {} }), [], {
      where: ({ additionalProperties }) => additionalProperties !== false,
    }),
    when('properties', 'no other ones', (part) => Object.assign(part, { additionalProperties: false }), ['request'], {
      where: ({ additionalProperties }) => additionalProperties !== false,
    }),
    when(
      'properties',
      'a reference to no other',
      (part) => Object.assign(part, { patternProperties: { '^z': false } }),
      both,
    ),
    when(
      'additionalProperties',
      'others',
      (part) => Object.assign(part, { additionalProperties: true }),
      ['response'],
      {
        where: ({ additionalProperties }) => additionalProperties !== true,
      },
    ),
    when(
      'additionalProperties',
      'a property more',
      (part) => Object.assign(part.properties, { another: {} }),
      ['response'],
      {
        where: ({ additionalProperties }) => additionalProperties === false,
      },
    ),
    when('required', 'one is needed no more', (part) => part.required.shift(), ['response']),
    when('required', 'another is needed', (part) => part.required.push('another'), ['request']),
  ],
  ...Object.entries({
    uniqueItems: ['array', true],
    multipleOf: ['integer', 7],
    exclusiveMaximum: ['integer', 7],
    maximum: ['integer', 7],
    exclusiveMinimum: ['integer', 7],
    minProperties: ['object', 7],
    maxProperties: ['object', 7],
    required: ['object', ['another']],
    enum: ['string', ['another']],
    format: ['string', 'uuid'],
    pattern: ['string', '^another$'],
  }).map(([keyword, [type, value]]) => ({
    ...added(keyword, value, ['request']),
    where: (part: Any) => part.type === type && part[keyword] === undefined,
  })),
  ...Object.entries({
    not: { const: 'another' },
    allOf: [{ required: ['another'] }],
    default: 'another',
    discriminator: { propertyName: 'another' },
    if: { const: 'another' },
    prefixItems: [{ type: 'integer' }],
    propertyNames: { minLength: 2 },
    nullable: true,
    readOnly: true,
    contentEncoding: 'base64',
  }).map(([keyword, value]) => added(keyword, value, both)),
];

function when(
  keyword: string,
  name: string,
  change: Mutation['change'],
  breaks: Mutation['breaks'],
  only: Partial<Mutation> = {},
): Mutation {
  return {
    name: `${keyword}: ${name}`,
    of: [keyword],
    kinds: ['schema'],
    change,
    breaks,
    where: (part) => part[keyword] !== undefined && only.where?.(part) !== false,
  };
}

function added(keyword: string, value: unknown, breaks: Mutation['breaks']): Mutation {
  return {
    name: `${keyword} is new`,
    of: [],
    kinds: ['schema'],
    where: (part) => part[keyword] === undefined && part.$ref === undefined,
    change: (part) => Object.assign(part, { [keyword]: value }),
    breaks,
  };
}

function repointed(part: Any): void {
  part.$ref = part.$ref.endsWith('/City') ? '#/components/schemas/Service' : '#/components/schemas/City';
}
