import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Outcome } from './exchange.ts';

/** Maximum depth of JSON that is compared member by member. */
const maxDepth = 100;

export interface Difference {
  kind: 'status' | 'content_type' | 'missing' | 'extra' | 'value' | 'order' | 'failed';
  /** The path of a JSON value from the root `$`; elements of an array share one path. */
  path?: string | undefined;
  /** The value of each service; undefined if it has none. */
  old: unknown;
  new: unknown;
}

/** The differences of two responses outside the ignored paths; each kind and path once. */
export function compareOutcomes(old: Outcome, other: Outcome, ignored: readonly RegExp[]): Difference[] {
  if ('failure' in old || 'failure' in other) {
    const shown = (each: Outcome) => ('failure' in each ? each.failure : `status ${each.status}`);
    return [{ kind: 'failed', old: shown(old), new: shown(other) }];
  }
  if (old.status !== other.status) {
    const shown = ({ status, body }: typeof old) => ({ status, body: parse(body, []) });
    return [{ kind: 'status', old: shown(old), new: shown(other) }];
  }
  const found = [...compareValues(parse(old.body, ignored), parse(other.body, ignored), '$')];
  const types = { old: typeOf(old.contentType), new: typeOf(other.contentType) };
  if (types.old !== types.new) found.push({ kind: 'content_type', ...types });
  return [...new Map(found.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}

// JSON is always UTF-8, so ignore its charset.
function typeOf(contentType: string): string {
  const type = contentType.toLowerCase().replaceAll(/[\s"]/g, '');
  return type.replace(/json;charset=utf-?8$/, 'json');
}

// Returns the normalized JSON, or the text if it is not JSON, or too deep for recursive functions.
function parse(body: string, ignored: readonly RegExp[]): unknown {
  try {
    return normalize(JSON.parse(body), ignored);
  } catch {
    return normalize(body, ignored);
  }
}

// Removes ignored paths and sorts members, so that equal values have equal texts.
function normalize(value: unknown, ignored: readonly RegExp[], path = '$', depth = 0): unknown {
  if (depth > maxDepth) throw new RangeError('The JSON is too deep.');
  if (ignored.some((pattern) => pattern.test(path))) return undefined;
  const part = (each: unknown, at: string) => normalize(each, ignored, at, depth + 1);
  if (Array.isArray(value)) return value.map((each) => part(each, `${path}[*]`)).filter((each) => each !== undefined);
  if (!isObject(value)) return value;
  const members = Object.keys(value)
    .sort()
    .map((key) => [key, part(value[key], memberOf(path, key))] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function* compareValues(old: unknown, other: unknown, path: string): Generator<Difference> {
  if (old === other) return;
  if (old === undefined) yield { kind: 'extra', path, old, new: other };
  else if (other === undefined) yield { kind: 'missing', path, old, new: other };
  else if (Array.isArray(old) && Array.isArray(other)) yield* compareLists(old, other, path);
  else if (isObject(old) && isObject(other))
    for (const key of Object.keys({ ...old, ...other }))
      yield* compareValues(old[key], other[key], memberOf(path, key));
  else yield { kind: 'value', path, old, new: other };
}

// Pairs elements of equal identity. If as many others remain in both lists, pairs those in order.
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

// Numbers repeated identities.
function byIdentity(list: unknown[]): Map<string, unknown> {
  const counts = new Map<string, number>();
  return new Map(
    list.map((element) => {
      const identity = identityOf(element);
      const count = (counts.get(identity) ?? 0) + 1;
      counts.set(identity, count);
      return [count === 1 ? identity : `${identity} (${count})`, element];
    }),
  );
}

// The id of an element, the value of a lookup entry, or else the whole element. A single member adds its name.
function identityOf(element: unknown): string {
  if (!isObject(element)) return JSON.stringify(element);
  const [name = '', ...others] = Object.keys(element);
  const only = others.length === 0 ? element[name] : undefined;
  if (Array.isArray(only)) return JSON.stringify(name);
  if (isObject(only)) return JSON.stringify([name, only.id ?? only.value]);
  return JSON.stringify(element.id ?? element.value ?? element);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Words have no special characters of paths or patterns.
const word = String.raw`[\w\u0080-\uFFFF-]+`;
const quoted = String.raw`\['(?:[^'\\]|\\['\\])*'\]`;
const isWord = new RegExp(`^${word}$`);
const anyStep = String.raw`(?:\.${word}|${quoted}|\[\*\])`;
const step = new RegExp(String.raw`\.{1,2}(?:${word}|\*)|(?:\.\.)?${quoted}|\[\*\]`, 'g');

function memberOf(path: string, key: string): string {
  return path + (isWord.test(key) ? `.${key}` : `['${key.replaceAll(/['\\]/g, '\\$&')}']`);
}

/** Converts a path such as `$.*[*].name` or `$..['a key']` to a pattern that matches it and all paths below it. */
export function parsePath(text: string): RegExp {
  if (!text.startsWith('$') || text.slice(1).replaceAll(step, '') !== '')
    throw new InvalidArgumentError('It must be a path such as $.countries[*].name or $..request_id');
  const pattern = text.slice(1).replaceAll(step, (each) => {
    const depth = each.startsWith('..') ? `${anyStep}*` : '';
    const last = each.replace(/^\.+/, '');
    if (last === '*') return depth + anyStep;
    const key = last.startsWith("['") ? last.slice(2, -2).replaceAll(/\\(.)/g, '$1') : last;
    const path = last === '[*]' ? last : memberOf('', key);
    return depth + path.replaceAll(/[^\w\u0080-\uFFFF-]/g, '\\$&');
  });
  return new RegExp(`^\\$${pattern}(?:[.[]|$)`);
}
