import type { BreakingChange } from './change.ts';
import { type JsonSchema, resolve } from './json-schema.ts';

/** Whose values a schema is for: what clients send may not become less, what they get may not become more. */
export type Direction = 'request' | 'response';

const lower = ['minLength', 'minItems', 'minimum'] as const;
const upper = ['maxLength', 'maxItems', 'maximum'] as const;

/** Compares schemas of two documents. */
export class SchemaComparison {
  readonly #released: unknown;
  readonly #current: unknown;
  readonly #compared = new Set<string>();

  constructor(released: unknown, current: unknown) {
    this.#released = released;
    this.#current = current;
  }

  /** What breaks; a schema with a name is compared, and told of, once. */
  *changes(before: JsonSchema, after: JsonSchema, direction: Direction, place: string): Generator<BreakingChange> {
    const { name, part: was } = resolve(this.#released, before);
    const { part: is } = resolve(this.#current, after);
    if (name !== undefined && this.#compared.has(`${direction} ${name}`)) return;
    if (name !== undefined) this.#compared.add(`${direction} ${name}`);
    const at = name ?? place;
    yield* this.#values(was, is, direction, at);
    yield* bounds(was, is, direction, at);
    yield* this.#properties(was, is, direction, at);
    if (was.items && is.items) yield* this.changes(was.items, is.items, direction, `${at}[]`);
    yield* this.#alternatives(was, is, direction, at);
    for (const [index, each] of (was.allOf ?? []).entries()) {
      const now = is.allOf?.[index];
      if (now === undefined) yield `${at} is put together in another way`;
      else yield* this.changes(each, now, direction, at);
    }
  }

  *#values(was: JsonSchema, is: JsonSchema, direction: Direction, at: string): Generator<BreakingChange> {
    const types = (schema: JsonSchema) => (schema.type === undefined ? undefined : [schema.type].flat());
    const values = (schema: JsonSchema) => ('const' in schema ? [schema.const] : schema.enum);
    for (const list of [types, values]) {
      const [narrow, wide] = direction === 'request' ? [list(was), list(is)] : [list(is), list(was)];
      if (wide === undefined) continue;
      const beyond = narrow?.filter((value) => !wide.includes(value as never));
      const what = list === types ? 'types' : 'values';
      if (beyond === undefined)
        yield `${at} ${direction === 'request' ? 'takes only' : 'is no longer only'} ${wide.join(', ')}`;
      else if (beyond.length > 0) {
        yield `${at} ${direction === 'request' ? 'no longer takes' : 'may now have'} the ${what} ${beyond.join(', ')}`;
      }
    }
  }

  *#properties(was: JsonSchema, is: JsonSchema, direction: Direction, at: string): Generator<BreakingChange> {
    const isRequired = (schema: JsonSchema, name: string) => schema.required?.includes(name) === true;
    for (const [name, property] of Object.entries(was.properties ?? {})) {
      const now = is.properties?.[name];
      if (now === undefined) yield `${at}.${name} is gone`;
      else yield* this.changes(property, now, direction, `${at}.${name}`);
      if (direction === 'response' && now !== undefined && isRequired(was, name) && !isRequired(is, name)) {
        yield `${at}.${name} may now be absent`;
      }
    }
    if (direction === 'response') return;
    for (const name of is.required ?? []) if (!isRequired(was, name)) yield `${at}.${name} is now required`;
  }

  // Of alternatives, each that clients send must still be one, and each that they get must have been one.
  *#alternatives(was: JsonSchema, is: JsonSchema, direction: Direction, at: string): Generator<BreakingChange> {
    const [before, after] = [was.oneOf ?? was.anyOf ?? [], is.oneOf ?? is.anyOf ?? []];
    const [known, others] = direction === 'request' ? [before, after] : [after, before];
    for (const [index, each] of known.entries()) {
      const counterpart = others[index];
      const [from, to] = direction === 'request' ? [each, counterpart] : [counterpart, each];
      // Those with a name stay themselves, whatever becomes of them.
      if (from?.$ref !== undefined && from.$ref === to?.$ref) yield* this.changes(from, to, direction, at);
      else if (!others.some((other) => this.#fits(each, other, direction))) {
        const told = from && to ? [...this.changes(from, to, direction, at)] : [];
        if (told.length > 0) yield* told;
        else yield `${at} ${direction === 'request' ? 'no longer takes' : 'may now be'} alternative ${index + 1}`;
      }
    }
  }

  #fits(known: JsonSchema, other: JsonSchema, direction: Direction): boolean {
    const [from, to] = direction === 'request' ? [known, other] : [other, known];
    const { done } = new SchemaComparison(this.#released, this.#current).changes(from, to, direction, '').next();
    return done === true;
  }
}

function* bounds(was: JsonSchema, is: JsonSchema, direction: Direction, at: string): Generator<BreakingChange> {
  const [narrow, wide] = direction === 'request' ? [was, is] : [is, was];
  for (const name of lower) {
    if ((wide[name] ?? -Infinity) > (narrow[name] ?? -Infinity))
      yield `${at}: ${name} was ${was[name]}, and is ${is[name]}`;
  }
  for (const name of upper) {
    if ((wide[name] ?? Infinity) < (narrow[name] ?? Infinity))
      yield `${at}: ${name} was ${was[name]}, and is ${is[name]}`;
  }
  if (wide.pattern !== undefined && wide.pattern !== narrow.pattern) {
    yield `${at}: the pattern was ${was.pattern}, and is ${is.pattern}`;
  }
}
