import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Outcome } from './exchange.ts';

export interface Difference {
  kind: 'status' | 'content_type' | 'missing' | 'extra' | 'value' | 'order' | 'failed';
  /** Of a JSON value, from the root `$`; all elements of an array have the same one. */
  path?: string | undefined;
  /** What each service has; undefined for nothing. */
  old: unknown;
  new: unknown;
}

/** The differences of two responses to one request, each kind and path once. */
export function compareOutcomes(old: Outcome, other: Outcome): Difference[] {
  if ('failure' in old || 'failure' in other) {
    const shown = (each: Outcome) => ('failure' in each ? each.failure : `status ${each.status}`);
    return [{ kind: 'failed', old: shown(old), new: shown(other) }];
  }
  const bodies = { old: parse(old.body), new: parse(other.body) };
  if (old.status !== other.status) {
    const shown = { old: { status: old.status, body: bodies.old }, new: { status: other.status, body: bodies.new } };
    return [{ kind: 'status', ...shown }];
  }
  const found = [...compareValues(bodies.old, bodies.new, '$')];
  const types = { old: typeOf(old.contentType), new: typeOf(other.contentType) };
  if (types.old !== types.new) found.push({ kind: 'content_type', ...types });
  return [...new Map(found.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}

// The charset of JSON is UTF-8.
function typeOf(contentType: string): string {
  const type = contentType.toLowerCase().replaceAll(/[\s"]/g, '');
  return type.replace(/json;charset=utf-?8$/, 'json');
}

// The JSON, or else the text.
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function* compareValues(old: unknown, other: unknown, path: string): Generator<Difference> {
  if (old === undefined) yield { kind: 'extra', path, old, new: other };
  else if (other === undefined) yield { kind: 'missing', path, old, new: other };
  else if (Array.isArray(old) && Array.isArray(other)) yield* compareLists(old, other, path);
  else if (isObject(old) && isObject(other))
    for (const key of Object.keys({ ...old, ...other })) yield* compareValues(old[key], other[key], `${path}.${key}`);
  else if (old !== other) yield { kind: 'value', path, old, new: other };
}

// Pairs elements of one identity; of lists of one length, also the others, in their order.
function* compareLists(old: unknown[], other: unknown[], path: string): Generator<Difference> {
  const [rest, otherRest] = [byIdentity(old), byIdentity(other)];
  const common = [...rest.keys()].filter((key) => otherRest.has(key));
  const otherCommon = [...otherRest.keys()].filter((key) => rest.has(key));
  if (common.join() !== otherCommon.join()) yield { kind: 'order', path, old: common, new: otherCommon };
  const pairs = common.map((key) => [rest.get(key), otherRest.get(key)]);
  for (const key of common) for (const map of [rest, otherRest]) map.delete(key);
  const [missing, extra] = [[...rest.values()], [...otherRest.values()]];
  if (missing.length === extra.length) pairs.push(...missing.map((element, index) => [element, extra[index]]));
  else pairs.push(...missing.map((element) => [element]), ...extra.map((element) => [undefined, element]));
  for (const [element, partner] of pairs) yield* compareValues(element, partner, `${path}[*]`);
}

// The identity of an element is its id, that of a lookup entry, or all of it. Repeated ones are numbered.
function byIdentity(list: unknown[]): Map<string, unknown> {
  const counts = new Map<string, number>();
  return new Map(
    list.map((element) => {
      const identity = JSON.stringify(isObject(element) ? (element.id ?? element.value ?? element) : element);
      const count = (counts.get(identity) ?? 0) + 1;
      counts.set(identity, count);
      return [count === 1 ? identity : `${identity} (${count})`, element];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a path such as `$.countries[*].name`, where `..` is any depth, as a test of this path and those below. */
export function parsePath(text: string): RegExp {
  if (!/^\$(?:\.{1,2}[^.[\]]+|\[\*\])*$/.test(text))
    throw new InvalidArgumentError('It must be a path such as $.countries[*].name or $..request_id');
  const pattern = text.replaceAll(/\.\.|[^\w-]/g, (part) => (part === '..' ? '.*\\.' : `\\${part}`));
  return new RegExp(`^${pattern}(?:[.[]|$)`);
}
