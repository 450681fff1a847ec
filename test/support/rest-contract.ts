import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { expect } from 'vitest';
import { type Config, envToConfig } from '../../src/app/config.ts';
import { createSchema } from '../../src/surfaces/graphql/schema.ts';
import { createDocument } from '../../src/surfaces/rest/openapi/document.ts';
import { Described, type Part } from './described.ts';
import { fieldsSent, isRefusedByShape } from './rest-request.ts';

/** A REST request and what it was answered, as it went over the wire. */
export interface RestExchange {
  method: string;
  target: string;
  contentType?: string | undefined;
  sent?: string | undefined;
  status: number;
  /** A header of the answer, by its name in lower case. */
  header(name: string): string | null | undefined;
  text: string;
}

/** What is answered where there is no such method, and no such path. */
const elsewhere = ['MalformedRequest', 'RequestTimeout', 'HeadersTooLarge', 'RateLimited', 'Overloaded'];

const v1 = /^(?:https?:\/\/[^/?#]+)?\/partner_portal\/v1(?![^/?#])(?!\/openapi\.json)/i;

/** Tells whether exchanges are as the service describes them. */
export class RestContract {
  readonly #described: Described;
  readonly #paths: [pattern: RegExp, template: string][];

  constructor(document: OpenAPIObject) {
    const strict = structuredClone(document);
    // Members may be added to problems, as RFC 9457 has it; today there are no others.
    Object.assign(strict.components?.schemas?.Problem ?? {}, { additionalProperties: false });
    this.#described = new Described(strict);
    // As Express routes: in any case, with a slash at the end or without.
    this.#paths = Object.keys(document.paths ?? {}).map((template) => {
      const path = `/partner_portal/v1${template.replace(/\{\w+\}/g, '[^/?]+')}`;
      return [new RegExp(`^(?:https?://[^/?]+)?${path}/?(?:\\?|$)`, 'i'), template];
    });
  }

  /** Fails for an answer of v1 whose status, headers, type or body are not described. */
  check(exchange: RestExchange): void {
    const { method, target, status, header, text } = exchange;
    // A preflight is between a browser and the service, before there is a request.
    const isPreflight = method === 'OPTIONS' && typeof header('access-control-allow-methods') === 'string';
    if (!v1.test(target) || isPreflight) return;
    const name = `${method} ${target} (${status})`;
    const template = this.#paths.find(([pattern]) => pattern.test(target))?.[1];
    const operation = template && this.#described.at('paths', template, method.toLowerCase());
    const response = operation
      ? this.#described.in(operation, 'responses', String(status))
      : this.#elsewhere(template === undefined ? 'NotFound' : 'MethodNotAllowed', status);
    expect(response, `${name} is not described: ${text}`).toBeDefined();
    if (response === undefined) return;
    for (const each of Object.keys(response.value.headers ?? {})) {
      this.#checkHeader(
        this.#described.in(response, 'headers', each) as Part,
        header(each.toLowerCase()),
        `${each} of ${name}`,
      );
    }
    const [type] = Object.keys(response.value.content ?? {});
    if (method === 'HEAD' || type === undefined) {
      expect(text, name).toBe('');
    } else {
      expect(header('content-type'), name).toBe(`${type}; charset=utf-8`);
      this.#described.expectValid(
        this.#described.in(response, 'content', type, 'schema') as Part,
        JSON.parse(text),
        name,
      );
    }
    if (operation) this.#checkRequest(operation, exchange, name);
  }

  #elsewhere(response: string, status: number): Part | undefined {
    const parts = [response, ...elsewhere].map((name) => this.#described.at('components', 'responses', name) as Part);
    return parts.find((part) => {
      const schema = part.value.content['application/problem+json'].schema;
      return schema.properties.status.const === status;
    });
  }

  #checkHeader(header: Part, value: string | null | undefined, name: string): void {
    if (value !== null && value !== undefined) {
      this.#described.expectValid(this.#described.in(header, 'schema') as Part, value, name);
    } else {
      expect(header.value.required, `${name} is missing`).toBe(false);
    }
  }

  // The other way round: what was taken is described, and what was refused by its shape is not.
  #checkRequest(operation: Part, exchange: RestExchange, name: string): void {
    const schema = this.#described.in(operation, 'requestBody', 'content', 'application/json', 'schema');
    const fields = fieldsSent(exchange);
    if (schema === undefined || fields === undefined) return;
    const mistakes = this.#described.mistakes(schema, fields);
    if (exchange.status < 300) expect(mistakes, `the body of ${name} is not described: ${exchange.sent}`).toEqual([]);
    if (isRefusedByShape(exchange))
      expect(mistakes, `the body of ${name} is described: ${exchange.sent}`).not.toEqual([]);
  }
}

const contracts = new Map<string, RestContract>();

/** What a service that is so configured describes. */
export function contractOf(config: Config = envToConfig({})): RestContract {
  const key = `${config.referenceAccess} ${config.rateLimits !== undefined}`;
  const known = contracts.get(key);
  if (known !== undefined) return known;
  const contract = new RestContract(createDocument(createSchema(config.referenceAccess).schema, config));
  contracts.set(key, contract);
  return contract;
}
