import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { type Config, envToConfig } from '../../src/app/config.ts';

/** A REST request and its response on the wire. */
export interface RestExchange {
  method: string;
  target: string;
  contentType?: string | undefined;
  sent?: string | undefined;
  status: number;
  headers: { get(name: string): string | null | undefined; keys(): Iterable<string> };
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: parts of an OpenAPI document have one type per keyword
type Part = any;

export function readDescription(): Part {
  return parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
}

/** The component that a part refers to, or the part itself. */
export function resolve(part: Part, document: Part): Part {
  if (part?.$ref === undefined) return part;
  const [kind, name] = part.$ref.split('/').slice(-2);
  return document.components[kind][name];
}

const v1 = /^(?:https?:\/\/[^/?#]+)?\/partner_portal\/v1(?![^/?#])(?!\/openapi\.json)/;
const form = 'application/x-www-form-urlencoded';

/** Headers of HTTP, CORS and browser security, allowed on every response. */
const generalHeaders = new RegExp(
  `^(${[
    'access-control-[a-z-]+|connection|content-(encoding|length|type|security-policy)|cross-origin-[a-z-]+|date',
    'keep-alive|referrer-policy|strict-transport-security|x-(content-type|frame)-options',
  ].join('|')})$`,
);

/** Checks REST exchanges against openapi.yaml: undescribed statuses, headers, fields and requests fail. */
export class RestContract {
  readonly #ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    formats: { int32: { type: 'number', validate: (value: number) => value === (value | 0) } },
  });
  readonly #validators = new Map<Part, ValidateFunction>();
  readonly #document: Part;
  readonly #paths: [pattern: RegExp, path: Part][];

  constructor({ rateLimits, referenceAccess }: Pick<Config, 'rateLimits' | 'referenceAccess'>) {
    const document = readDescription();
    const { schemas, headers, responses } = document.components;
    schemas.Problem.additionalProperties = false;
    schemas.Index.additionalProperties = false;
    for (const name of ['RateLimit', 'RateLimit-Policy']) headers[name].required = rateLimits !== undefined;
    if (referenceAccess === 'public')
      for (const path of Object.values<Part>(document.paths)) delete path.get?.responses[401];
    responses.Options = { headers: { ...responses.MethodNotAllowed.headers, 'Cache-Control': { required: false } } };
    this.#document = document;
    // With or without a trailing slash.
    this.#paths = Object.entries(document.paths).map(([template, path]) => {
      const pattern = `/partner_portal/v1${template.replace(/\/$/, '/?').replace(/\{\w+\}/g, '([^/?]+)')}`;
      return [new RegExp(`^(?:https?://[^/?]+)?${pattern}/?(?:[?#]|$)`), path];
    });
  }

  check(exchange: RestExchange): void {
    const { method, status, headers, text } = exchange;
    // Repeated slashes of a path count as one.
    const [given = '', ...query] = exchange.target.split('?');
    const target = [given.replace(/(?<!:)\/{2,}/g, '/'), ...query].join('?');
    // Browsers send preflights before the request.
    const isPreflight = method === 'OPTIONS' && typeof headers.get('access-control-allow-methods') === 'string';
    if (!v1.test(target) || isPreflight) return;
    const name = `${method} ${target} (${status}) ${text.slice(0, 500)}`;
    const [, path] = this.#paths.find(([pattern]) => pattern.test(target)) ?? [];
    const operation = path?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    const response = this.#resolve(operation ? operation.responses[status] : this.#elsewhere(path, method, status));
    expect(response, `openapi.yaml lacks the status of ${name}`).toBeDefined();
    this.#checkHeaders(response.headers, exchange, name);
    const types = Object.keys(response.content ?? {});
    const [type] = types;
    if (method === 'HEAD' || type === undefined) {
      expect(text, name).toBe('');
    } else {
      expect(types.map((each) => `${each}; charset=utf-8`)).toContain(headers.get('content-type'));
      expect(this.#errors(response.content[type].schema, JSON.parse(text)), name).toEqual([]);
    }
    if (operation) this.#checkRequest(operation, exchange, name);
  }

  // Responses to undescribed methods and paths.
  #elsewhere(path: Part, method: string, status: number): Part {
    const { responses } = this.#document.components;
    const others = [path ? 'MethodNotAllowed' : 'NotFound', 'MalformedRequest', 'RequestTimeout', 'HeadersTooLarge'];
    if (path && method === 'OPTIONS' && status === 204) return responses.Options;
    return [...others, 'RateLimited', 'Unavailable']
      .map((name) => responses[name])
      .find(({ content }) => content['application/json'].schema.properties.status.const === status);
  }

  #checkHeaders(described: Part, { headers }: RestExchange, name: string): void {
    for (const [key, reference] of Object.entries(described)) {
      const { schema = {}, required } = this.#resolve(reference);
      const value = headers.get(key.toLowerCase()) ?? undefined;
      if (value === undefined) expect(required ?? false, `${key} is missing in ${name}`).toBe(false);
      else expect(this.#errors(schema, value), `${key} of ${name}`).toEqual([]);
    }
    const known = Object.keys(described).map((key) => key.toLowerCase());
    const unknown = [...headers.keys()].filter((key) => !known.includes(key) && !generalHeaders.test(key));
    expect(unknown, `openapi.yaml lacks headers of ${name}`).toEqual([]);
  }

  // Successful requests match the description; requests rejected for their shape do not.
  #checkRequest(operation: Part, exchange: RestExchange, name: string): void {
    const { target, status, text } = exchange;
    const problem = status >= 400 && text !== '' ? JSON.parse(text) : undefined;
    const isRejectedByShape = ['required', 'invalid_type', 'invalid_length', 'too_many_items'].includes(problem?.code);
    const body = parseBody(exchange);
    const schema = body && this.#resolve(operation.requestBody)?.content[body.type].schema;
    if (schema && status < 300) expect(this.#errors(schema, body.value), `the body of ${name}`).toEqual([]);
    if (schema && isRejectedByShape) expect(this.#errors(schema, body.value), `the body of ${name}`).not.toEqual([]);
    const query = new Map(new URLSearchParams(target.split('?').slice(1).join('?')));
    for (const parameter of operation.parameters.map((each: Part) => this.#resolve(each))) {
      const value = parameter.in === 'query' ? query.get(parameter.name) : undefined;
      if (value === undefined || (value.trim() === '' && status < 300)) continue;
      const errors = this.#errors(parameter.schema, typed(value));
      if (status < 400) expect(errors, `${parameter.name} of ${name}`).toEqual([]);
      if (problem?.errors?.[parameter.name]) expect(errors, `${parameter.name} of ${name}`).not.toEqual([]);
    }
  }

  #resolve(part: Part): Part {
    return resolve(part, this.#document);
  }

  #errors(schema: Part, value: unknown): unknown[] {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile({ ...schema, components: this.#document.components });
      this.#validators.set(schema, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []);
  }
}

/** A body as the rules see it: names trimmed, items unique, forms unwrapped with `item_ids[]` for any index. */
function parseBody({ contentType, sent }: RestExchange): { type: string; value: unknown } | undefined {
  if (sent === undefined) return undefined;
  if (contentType === form) {
    const fields: Record<string, unknown> = {};
    const items = new Set<unknown>();
    for (const [name, value] of new URLSearchParams(sent)) {
      const field = name.replace(/^product_tag\[(\w+)\]/, '$1').replace(/^item_ids\[\d+\]$/, 'item_ids[]');
      if (!field.startsWith('item_ids')) fields[field] = field in fields ? {} : formatName(value);
      else fields['item_ids[]'] = items;
      if (field === 'item_ids[]' && value !== '') items.add(typed(value));
      else if (field.startsWith('item_ids') && field !== 'item_ids[]') items.add('of an unknown shape');
    }
    return { type: form, value: 'item_ids[]' in fields ? { ...fields, 'item_ids[]': [...items] } : fields };
  }
  if (contentType !== 'application/json') return undefined;
  try {
    const normalize = (key: string, value: unknown) => {
      if ((key === 'name_en' || key === 'name_ar') && typeof value === 'string') return formatName(value);
      return key === 'item_ids' && Array.isArray(value) ? [...new Set(value)] : value;
    };
    return { type: contentType, value: JSON.parse(sent, normalize) };
  } catch {
    return undefined;
  }
}

// Normalizing takes quadratic time, and long names are invalid anyway.
function formatName(text: string): string {
  const marks =
    /^(?:\u034F|[\s\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFF9-\uFFFB\u{E0001}])+/u;
  const reversed = (value: string) => [...value].toReversed().join('');
  return text.length > 1_000 ? text : reversed(reversed(text.replace(marks, '')).replace(marks, '')).normalize('NFC');
}

function typed(text: string): unknown {
  return /^-?\d+$/.test(text) ? Math.max(-Number.MAX_VALUE, Math.min(Number(text), Number.MAX_VALUE)) : text;
}

const contracts = new Map<string, RestContract>();

export function getContract(config: Config = envToConfig({})): RestContract {
  const key = `${config.referenceAccess} ${config.rateLimits !== undefined}`;
  if (!contracts.has(key)) contracts.set(key, new RestContract(config));
  return contracts.get(key) as RestContract;
}
