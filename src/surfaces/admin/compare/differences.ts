import type { Response } from './exchange.ts';
import type { Ids } from './ids.ts';
import { elementOf, isObject, memberOf, parseJson } from './json.ts';

type Kind = 'status' | 'content_type' | 'redirect' | 'missing' | 'extra' | 'value' | 'order' | 'text' | 'failed';

export interface Difference {
  kind: Kind;
  /** Of a JSON value. */
  path?: string;
  /** What each service has; undefined for nothing. */
  old: unknown;
  new: unknown;
}

export interface Rules {
  ignored: readonly RegExp[];
  ids: Ids;
  /** A text without the tokens of both services. */
  redact(text: string): string;
}

/** How many elements show that an order is another one. */
const shownElements = 5;

/** The differences of two responses to one request, each kind and path once. */
export function compareResponses(old: Response, other: Response, rules: Rules): Difference[] {
  const { ids, redact } = rules;
  const bodies = { old: ids.text(old.body), new: other.body };
  const texts = { old: redact(bodies.old), new: redact(bodies.new) };
  if (old.status !== other.status)
    return [{ kind: 'status', old: `${old.status}\n${texts.old}`.trim(), new: `${other.status}\n${texts.new}`.trim() }];
  const types = { old: mediaTypeOf(old), new: mediaTypeOf(other) };
  const targets = { old: redact(ids.path(old.redirect)), new: redact(other.redirect) };
  const found: Difference[] = [
    { kind: 'content_type' as const, ...types },
    { kind: 'redirect' as const, ...targets },
  ].filter((each) => each.old !== each.new);
  if (texts.old === texts.new) return found;
  const isJson = /[/+]json\b/.test(`${types.old} ${types.new}`);
  const json = { old: parseJson(bodies.old), new: parseJson(bodies.new) };
  if (!isJson || json.old === undefined || json.new === undefined) return [...found, { kind: 'text', ...texts }];
  return [...found, ...compareJson(normalize(json.old, rules), normalize(json.new, rules))];
}

// The charset of JSON is UTF-8.
function mediaTypeOf({ contentType }: Response): string {
  const [type = '', ...parameters] = contentType.toLowerCase().replaceAll(/[\s"]/g, '').split(';');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.replace('=utf8', '=utf-8');
  return charset === undefined || (charset === 'charset=utf-8' && type.endsWith('json')) ? type : `${type}; ${charset}`;
}

// Without what is ignored, and with members in one order, so that equal values have equal texts.
function normalize(value: unknown, rules: Rules, path = '$'): unknown {
  const isKept = (each: string) => !rules.ignored.some((pattern) => pattern.test(each));
  if (typeof value === 'string') return rules.redact(value);
  if (Array.isArray(value)) {
    const each = elementOf(path);
    return isKept(each) ? value.map((element) => normalize(element, rules, each)) : [];
  }
  if (!isObject(value)) return value;
  const members = Object.keys(value)
    .sort()
    .map((key) => ({ key, name: rules.redact(key), path: memberOf(path, rules.redact(key)) }))
    .filter((member) => isKept(member.path));
  return Object.fromEntries(members.map((each) => [each.name, normalize(value[each.key], rules, each.path)]));
}

function compareJson(oldRoot: unknown, newRoot: unknown): Difference[] {
  const found = new Map<string, Difference>();

  function add(kind: Kind, path: string, old: unknown, other: unknown): void {
    const key = `${kind} ${path}`;
    if (!found.has(key)) found.set(key, { kind, path, old, new: other });
  }

  function compare(old: unknown, other: unknown, path: string): void {
    if (old === undefined) add('extra', path, old, other);
    else if (other === undefined) add('missing', path, old, other);
    else if (Array.isArray(old) && Array.isArray(other)) compareLists(old, other, path);
    else if (isObject(old) && isObject(other))
      for (const key of Object.keys({ ...old, ...other })) compare(own(old, key), own(other, key), memberOf(path, key));
    else if (JSON.stringify(old) !== JSON.stringify(other)) add('value', path, old, other);
  }

  // Pairs elements of one identity, then the rest of lists of one length.
  function compareLists(old: unknown[], other: unknown[], path: string): void {
    const byIdentity = Map.groupBy(other.keys(), (index) => identityOf(other[index]));
    const partners = old.map((value) => byIdentity.get(identityOf(value))?.shift());
    const order = partners.filter((index) => index !== undefined);
    if (order.some((index, place) => index < (order[place - 1] ?? 0))) {
      const first = old.findIndex((value, index) => identityOf(value) !== identityOf(other[index]));
      const shown = (list: unknown[]) => list.slice(first, first + shownElements);
      add('order', path, shown(old), shown(other));
    }
    const rest = [...byIdentity.values()].flat().sort((a, b) => a - b);
    const isOneLength = old.length === other.length;
    for (const [place, value] of old.entries()) {
      const partner = partners[place] ?? (isOneLength ? rest.shift() : undefined);
      compare(value, partner === undefined ? undefined : other[partner], elementOf(path));
    }
    for (const index of rest) compare(undefined, other[index], elementOf(path));
  }

  compare(oldRoot, newRoot, '$');
  return [...found.values()];
}

const own = (value: Record<string, unknown>, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);

// Its id, or that of a lookup entry; the name of the list that is all it has, as in the list of lookups; else all of it.
function identityOf(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  const { id = value.value ?? value } = value;
  const [name = '', ...others] = Object.keys(value);
  return others.length === 0 && typeof value[name] === 'object' ? name : JSON.stringify(id);
}
