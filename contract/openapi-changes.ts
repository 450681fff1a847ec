import type { BreakingChange } from './change.ts';
import { type JsonSchema, resolve } from './json-schema.ts';
import { SchemaComparison } from './schema-changes.ts';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema }>;

interface Response {
  headers?: Record<string, { required?: boolean; schema: JsonSchema }>;
  content?: Content;
}

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

/** An OpenAPI document, as far as it matters to clients. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  security?: unknown[];
}

/** What breaks clients of a described service. */
export function openApiChanges(released: OpenApi, current: OpenApi): BreakingChange[] {
  return [...new Set(new Comparison(released, current).changes())].map((change) => `REST: ${change}`);
}

class Comparison {
  readonly #released: OpenApi;
  readonly #current: OpenApi;
  readonly #schemas: SchemaComparison;

  constructor(released: OpenApi, current: OpenApi) {
    this.#released = released;
    this.#current = current;
    this.#schemas = new SchemaComparison(released, current);
  }

  *changes(): Generator<BreakingChange> {
    for (const [path, item] of Object.entries(this.#released.paths)) {
      for (const [method, was] of Object.entries(item)) {
        const name = `${method.toUpperCase()} ${path}`;
        const is = this.#current.paths[path]?.[method];
        if (is === undefined) yield `${name} is gone`;
        else yield* this.#operation(was, is, name);
      }
    }
  }

  *#operation(was: Operation, is: Operation, name: string): Generator<BreakingChange> {
    if (was.operationId !== is.operationId) yield `${name} is no longer called ${was.operationId}`;
    const isOpen = (operation: Operation, document: OpenApi) =>
      (operation.security ?? document.security ?? []).length === 0;
    if (isOpen(was, this.#released) && !isOpen(is, this.#current)) yield `${name} now needs a token`;
    yield* this.#parameters(was, is, name);
    if (is.requestBody?.required && !was.requestBody?.required) yield `${name} now needs a body`;
    yield* this.#content(was.requestBody?.content, is.requestBody?.content, 'request', `${name}: the body`);
    for (const [status, response] of Object.entries(was.responses)) {
      const now = is.responses[status];
      // A failure that is no more breaks nobody.
      if (now !== undefined) yield* this.#response(response, now, `${name} (${status})`);
      else if (Number(status) < 400) yield `${name} is no longer answered ${status}`;
    }
  }

  *#parameters(was: Operation, is: Operation, name: string): Generator<BreakingChange> {
    const byName = (document: OpenApi, { parameters = [] }: Operation) =>
      new Map(parameters.map((each) => resolve(document, each).part).map((each) => [`${each.in} ${each.name}`, each]));
    const [before, after] = [byName(this.#released, was), byName(this.#current, is)];
    for (const [key, parameter] of before) {
      const now = after.get(key);
      if (now === undefined) yield `${name}: the parameter ${parameter.name} is gone`;
      else yield* this.#schemas.changes(parameter.schema, now.schema, 'request', `${name}: ${parameter.name}`);
    }
    for (const [key, parameter] of after) {
      if (parameter.required && !before.get(key)?.required)
        yield `${name}: the parameter ${parameter.name} is now required`;
    }
  }

  *#response(before: Response, after: Response, name: string): Generator<BreakingChange> {
    const [was, is] = [resolve(this.#released, before).part, resolve(this.#current, after).part];
    for (const [header, one] of Object.entries(was.headers ?? {})) {
      const { part: described } = resolve(this.#released, one);
      const other = is.headers?.[header];
      if (other === undefined) {
        yield `${name}: the header ${header} is gone`;
        continue;
      }
      const { part: now } = resolve(this.#current, other);
      if (described.required && !now.required) yield `${name}: the header ${header} may now be absent`;
      yield* this.#schemas.changes(described.schema, now.schema, 'response', `the header ${header}`);
    }
    yield* this.#content(was.content, is.content, 'response', name);
  }

  *#content(
    was: Content | undefined,
    is: Content | undefined,
    direction: 'request' | 'response',
    name: string,
  ): Generator<BreakingChange> {
    for (const [type, { schema }] of Object.entries(was ?? {})) {
      const now = is?.[type];
      if (now === undefined) yield `${name} is no longer ${type}`;
      else yield* this.#schemas.changes(schema, now.schema, direction, name);
    }
  }
}
