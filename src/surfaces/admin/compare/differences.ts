import { MIMEType } from 'node:util';
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
  const texts = { old: redact(ids.text(old.body)), new: redact(other.body) };
  if (old.status !== other.status) {
    return [{ kind: 'status', old: `${old.status}\n${texts.old}`.trim(), new: `${other.status}\n${texts.new}`.trim() }];
  }
  const found: Difference[] = [];
  const types = { old: mediaTypeOf(old), new: mediaTypeOf(other) };
  if (types.old !== types.new) found.push({ kind: 'content_type', ...types });
  if (old.status >= 300 && old.status < 400) {
    const targets = { old: redact(ids.path(old.location)), new: redact(other.location) };
    if (targets.old !== targets.new) found.push({ kind: 'redirect', ...targets });
  }
  if (texts.old === texts.new) return found;
  const isJson = [types.old, types.new].some((type) => /[/+]json(?:;|$)/.test(type));
  const [oldJson, newJson] = isJson ? [parseJson(ids.text(old.body)), parseJson(other.body)] : [];
  if (oldJson === undefined || newJson === undefined) return [...found, { kind: 'text', ...texts }];
  const walk = new Walk();
  walk.values(normalize(oldJson, rules), normalize(newJson, rules), '$');
  return [...found, ...walk.found.values()];
}

class Walk {
  readonly found = new Map<string, Difference>();

  values(old: unknown, other: unknown, path: string): void {
    if (Array.isArray(old) && Array.isArray(other)) this.#elements(old, other, path);
    else if (isObject(old) && isObject(other)) this.#members(old, other, path);
    else if (old !== other) this.#add('value', path, old, other);
  }

  #members(old: Record<string, unknown>, other: Record<string, unknown>, path: string): void {
    for (const key of new Set([...Object.keys(old), ...Object.keys(other)])) {
      const each = memberOf(path, key);
      if (!Object.hasOwn(other, key)) this.#add('missing', each, old[key], undefined);
      else if (!Object.hasOwn(old, key)) this.#add('extra', each, undefined, other[key]);
      else this.values(old[key], other[key], each);
    }
  }

  // Pairs elements that are equal, then those of one identity, then the rest of lists of one length.
  #elements(old: unknown[], other: unknown[], path: string): void {
    const each = elementOf(path);
    const partners = new Map<number, number>();
    const unpaired = new Set(other.keys());
    for (const keyOf of [JSON.stringify, identityOf]) {
      const byKey = Map.groupBy(unpaired, (index) => keyOf(other[index]));
      for (const [index, value] of old.entries()) {
        const key = partners.has(index) ? undefined : keyOf(value);
        const partner = key === undefined ? undefined : byKey.get(key)?.shift();
        if (partner === undefined) continue;
        partners.set(index, partner);
        unpaired.delete(partner);
      }
    }
    const order = [...old.keys()].flatMap((index) => partners.get(index) ?? []);
    if (order.some((partner, index) => partner < (order[index - 1] ?? 0))) {
      const first = old.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(other[index]));
      const shown = (list: unknown[]) => list.slice(first, first + shownElements);
      this.#add('order', path, shown(old), shown(other));
    }
    const rest = [...unpaired];
    for (const [index, value] of old.entries()) {
      const partner = partners.get(index) ?? (old.length === other.length ? rest.shift() : undefined);
      if (partner === undefined) this.#add('missing', each, value, undefined);
      else this.values(value, other[partner], each);
    }
    if (old.length !== other.length) for (const index of rest) this.#add('extra', each, undefined, other[index]);
  }

  #add(kind: Kind, path: string, old: unknown, other: unknown): void {
    const key = `${kind} ${path}`;
    if (!this.found.has(key)) this.found.set(key, { kind, path, old, new: other });
  }
}

// Without what is ignored, with members in one order, so that equal values have equal texts.
function normalize(value: unknown, rules: Rules, path = '$'): unknown {
  if (typeof value === 'string') return rules.redact(value);
  const isIgnored = (each: string) => rules.ignored.some((pattern) => pattern.test(each));
  if (Array.isArray(value)) {
    const each = elementOf(path);
    return isIgnored(each) ? [] : value.map((element) => normalize(element, rules, each));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, own]) => {
    const name = rules.redact(key);
    const each = memberOf(path, name);
    return isIgnored(each) ? [] : [[name, normalize(own, rules, each)] as const];
  });
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function identityOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const id = value.id ?? value.value;
  if (id !== undefined) return String(id);
  const [key, ...others] = Object.keys(value);
  return others.length === 0 ? key : undefined;
}

function mediaTypeOf({ contentType }: Response): string {
  try {
    const { essence, params } = new MIMEType(contentType);
    const charset = params
      .get('charset')
      ?.toLowerCase()
      .replace(/^utf8$/, 'utf-8');
    const isDefault = charset === undefined || (charset === 'utf-8' && /[/+]json$/.test(essence));
    return isDefault ? essence : `${essence}; charset=${charset}`;
  } catch {
    return contentType;
  }
}
