import type { OpenApi } from '../../contract/rest/changes.ts';

type Json = Record<string, unknown>;
type Kind = keyof typeof inner;

/** A part of a description that an operation reaches, by references too. */
export interface Part {
  kind: Kind;
  direction: 'request' | 'response';
  /** Where it is, from the root of the document. */
  keys: string[];
  path: string;
  method: string;
  /** The response that it is of. */
  status?: string;
}

// What is in what; `*` is each of several.
const inner = {
  operation: { 'parameters/*': 'parameter', requestBody: 'body', 'responses/*': 'response' },
  parameter: { schema: 'schema' },
  body: { 'content/*': 'media type' },
  'media type': { schema: 'schema' },
  response: { 'headers/*': 'header', 'content/*': 'media type' },
  header: { schema: 'schema' },
  schema: {
    'properties/*': 'schema',
    items: 'schema',
    additionalProperties: 'schema',
    'allOf/*': 'schema',
    'anyOf/*': 'schema',
    'oneOf/*': 'schema',
  },
} as const;

/** Every part of a description, once for requests and once for responses. */
export function partsOf(document: OpenApi): Part[] {
  const found = new Map<string, Part>();
  const visit = (part: Part) => {
    const value = partAt(document, part.keys);
    const name = `${part.direction} ${part.keys.join(' ')}`;
    if (found.has(name) || typeof value !== 'object') return;
    found.set(name, part);
    if (typeof value.$ref === 'string') visit({ ...part, keys: value.$ref.slice(2).split('/') });
    for (const [where, kind] of Object.entries(inner[part.kind])) {
      const direction = kind === 'response' ? 'response' : part.direction;
      for (const keys of keysOf(value, where)) {
        const status = kind === 'response' ? { status: keys.at(-1) as string } : {};
        visit({ ...part, ...status, kind, direction, keys: [...part.keys, ...keys] });
      }
    }
  };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of Object.keys(item)) {
      visit({ kind: 'operation', direction: 'request', keys: ['paths', path, method], path, method });
    }
  }
  return [...found.values()];
}

/** What is there in a document. */
export function partAt(document: object, keys: string[]): Json {
  return keys.reduce<unknown>((value, key) => (value as Json)[key], document) as Json;
}

/** The document with what is there changed, and all else shared with it. */
export function changedAt(document: object, [key, ...others]: string[], change: (part: Json) => unknown): object {
  if (key === undefined) {
    const part = structuredClone(document);
    change(part as Json);
    return part;
  }
  const copy = Array.isArray(document) ? [...document] : { ...document };
  return Object.assign(copy, { [key]: changedAt((document as Json)[key] as object, others, change) });
}

function keysOf(value: Json, where: string): string[][] {
  const [member, each] = where.split('/') as [string, string?];
  if (value[member] === undefined) return [];
  return each === undefined ? [[member]] : Object.keys(value[member] as object).map((key) => [member, key]);
}
