import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { expect } from 'vitest';

/** A place in a document: the JSON pointer of it, and what is there. */
export interface Part {
  pointer: string;
  // biome-ignore lint/suspicious/noExplicitAny: the parts of a document have as many types as there are keys
  value: any;
}

/** An OpenAPI document whose parts are found by their keys, and whose schemas judge values. */
export class Described {
  readonly #document: OpenAPIObject;
  readonly #ajv = new Ajv2020({ strict: false, strictNumbers: true, allErrors: true });

  constructor(document: OpenAPIObject) {
    this.#document = document;
    this.#ajv.addSchema(document, 'v1');
  }

  /** What is under the keys, references followed; undefined where there is nothing. */
  at(...keys: string[]): Part | undefined {
    return this.in({ pointer: '#', value: this.#document }, ...keys);
  }

  /** The same from a part on. */
  in(part: Part, ...keys: string[]): Part | undefined {
    const [key, ...others] = keys;
    if (key === undefined) return part;
    const value = part.value[key];
    if (value === undefined) return undefined;
    const token = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    const inner = { pointer: `${part.pointer}/${token}`, value };
    return this.in(value.$ref === undefined ? inner : this.#referenced(value.$ref), ...others);
  }

  /** What is wrong with a value by a schema; empty when nothing is. */
  mistakes(schema: Part, value: unknown): unknown[] {
    const validate = this.#ajv.getSchema(`v1${schema.pointer}`);
    if (validate === undefined) throw new Error(`no schema at ${schema.pointer}`);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  expectValid(schema: Part, value: unknown, what: string): void {
    const mistakes = this.mistakes(schema, value);
    expect(mistakes, `${what} is not as described: ${JSON.stringify(value)?.slice(0, 500)}`).toEqual([]);
  }

  #referenced(reference: string): Part {
    return this.at(...reference.slice(2).split('/')) as Part;
  }
}
