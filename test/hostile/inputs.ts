import type { RawRequest } from '../support/raw-http.ts';
import { formType, get, roots, send as sendBody } from './requests.ts';
import shapes from './shapes.json' with { type: 'json' };

/** A request whose `name` input has about `size` characters; `mark` makes its text different from every other one. */
export interface Input {
  name: string;
  /** The largest size, in characters: a little below the limit of the place that takes it. */
  max: number;
  request(size: number, mark: string): RawRequest;
}

const headerLimit = 14_000;
const bodyLimit = 500_000;

/** What is repeated until it has the size: a text, in which %d is its index and %n the next one, or what opens and closes around a text. */
type Unit = string | [open: string, inner: string, close: string];

function fill(unit: Unit, size: number): string {
  if (typeof unit === 'string') {
    const length = unit.replaceAll(/%[dn]/g, '12345').length;
    const repeated = Array.from({ length: Math.ceil(size / length) }, (_, index) =>
      unit.replaceAll('%d', String(index)).replaceAll('%n', String(index + 1)),
    );
    return unit === repeated[0] ? repeated.join('').slice(0, size) : repeated.slice(0, -1).join('');
  }
  const [open, inner, close] = unit;
  const depth = Math.floor(size / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
}

type Header = readonly [name: string, value: string];

function send(method: string, target: string, body: string, token?: string, type?: string): RawRequest {
  const request = sendBody(method, target, body, type);
  return token === undefined
    ? request
    : { ...request, headers: [...request.headers, ['Authorization', `Bearer ${token}`]] };
}

const graphql = (query: string, variables: object = {}, token?: string) =>
  send('POST', '/graphql', JSON.stringify({ query, variables }), token);

const v1 = roots.REST;
const tags = `${v1}/product_tags`;
const named = (mark: string) => `query ${mark} { services { id } }`;

/** Every place of both surfaces that takes text from a client, with texts of many kinds. */
export function inputs(token: string, tagId: number): Input[] {
  return [...headerInputs(), ...targetInputs(token), ...bodyInputs(token, tagId), ...shapedInputs(token)];
}

function headerInputs(): Input[] {
  const names = [
    ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'content-type', 'cookie', 'forwarded', 'host'],
    ...['idempotency-key', 'if-match', 'if-none-match', 'origin', 'traceparent', 'tracestate', 'user-agent'],
    ...['access-control-request-headers', 'x-forwarded-for', 'x-request-id', 'apollo-require-preflight'],
  ];
  const kinds = Object.entries({ ...shapes.units, ...shapes.headerUnits }).filter(([, unit]) =>
    /^[\x20-\x7e]*$/.test(unit),
  );
  const places: Record<string, (header: Header, mark: string) => RawRequest> = {
    GET: (header) => ({ ...get(`${v1}/countries`), headers: [header] }),
    'GraphQL GET': (header, mark) => ({ ...get(`/graphql?query=query%20${mark}{services{id}}`), headers: [header] }),
    POST(header, mark) {
      const request = graphql(named(mark));
      return { ...request, headers: [...request.headers.filter(([name]) => name.toLowerCase() !== header[0]), header] };
    },
  };
  return Object.entries(places).flatMap(([place, make]) =>
    names.flatMap((name) =>
      kinds.map(([kind, unit]) => ({
        name: `${place} header ${name}: ${kind}`,
        max: headerLimit,
        request(size, mark) {
          const start = name === 'content-type' && place !== 'GET' ? 'application/json' : 'a';
          return make([name, `${start}${fill(unit, size)}a`], mark);
        },
      })),
    ),
  );
}

function targetInputs(token: string): Input[] {
  const places: Record<string, (text: string, mark: string) => RawRequest> = {
    'path segment': (text, mark) => send('PUT', `${tags}/${text}`, JSON.stringify({ name_en: mark }), token),
    path: (text) => get(`/${text}`),
    'page parameter': (text) => get(`${v1}/lookups?services=${text}`),
    'integer parameter': (text) => get(`${v1}/cities?country_id=${text}`),
    'query string': (text) => get(`${v1}/lookups?${text}`),
    'GraphQL query string': (text, mark) => get(`/graphql?query=query%20${mark}{services{id}}&variables=${text}`),
  };
  const kinds = { ...shapes.units, ...shapes.targetUnits };
  return Object.entries(places).flatMap(([place, make]) =>
    Object.entries(kinds).map(([kind, unit]) => ({
      name: `${place}: ${kind}`,
      max: headerLimit,
      request: (size, mark) => make(encodeURI(fill(unit, size).toWellFormed()).slice(0, headerLimit), mark),
    })),
  );
}

const create = (mark: string) =>
  `mutation ${mark}($input: CreateProductTagInput!) { createProductTag(input: $input) { productTag { id } userErrors { message } } }`;

function bodyInputs(token: string, tagId: number): Input[] {
  const typed = (type: string, field: string) => (text: string, mark: string) =>
    graphql(`query ${mark}($v: ${type}) { ${field} }`, { v: text }, token);
  const parts = (part: object) => send('POST', '/graphql', JSON.stringify(part));
  const places: Record<string, (text: string, mark: string) => RawRequest> = {
    'JSON name': (text) => send('PUT', `${tags}/${tagId}`, JSON.stringify({ name_en: text }), token),
    'JSON text': (text) => send('POST', tags, text, token),
    'GraphQL body': (text) => send('POST', '/graphql', text),
    'persisted query hash': (text, mark) =>
      parts({ extensions: { persistedQuery: { version: 1, sha256Hash: text + mark } } }),
    'operation name': (text, mark) => parts({ query: named(mark), operationName: text }),
    'name variable': (text, mark) => graphql(create(mark), { input: { nameEn: text } }, token),
    'unknown input field': (text, mark) => graphql(create(mark), { input: { nameEn: mark, [text]: 1 } }, token),
    'integer variable': typed('Int', 'cities(countryId: $v) { id }'),
    'enum variable': typed('Locale', 'services { name(locale: $v) }'),
    'cursor variable': typed('String', 'viewer { items(after: $v) { nodes { id } } }'),
    'boolean variable': typed('Boolean!', 'services { id @include(if: $v) }'),
    'variable name': (text, mark) => graphql(named(mark), { [text]: 1 }),
  };
  const kinds = { ...shapes.units, ...shapes.bodyUnits };
  return Object.entries(places).flatMap(([place, make]) =>
    Object.entries(kinds).map(([kind, unit]) => ({
      name: `${place}: ${kind}`,
      max: bodyLimit,
      request(size, mark) {
        const written = (size * unit.length) / Buffer.byteLength(JSON.stringify(unit));
        return make(fill(unit, Math.floor(written - 200)), mark);
      },
    })),
  );
}

/** Texts with a mark for M, and for X and Y what is repeated. */
type Shape = [name: string, template: string, x: Unit, y?: Unit];

function shapedInputs(token: string): Input[] {
  const { forms, bodies, documents } = shapes as unknown as Record<'forms' | 'bodies' | 'documents', Shape[]>;
  const shaped = (place: string, max: number, shapes: Shape[], make: (text: string) => RawRequest): Input[] =>
    shapes.map(([kind, template, x, y]) => ({
      name: `${place}: ${kind}`,
      max,
      request(size, mark) {
        const room = (size - 300) / (y === undefined ? 1 : 2);
        const parts: Record<string, string> = { M: mark, X: fill(x, room), Y: y === undefined ? '' : fill(y, room) };
        return make(template.replace(/\b[MXY]\b|(?<=\d|a|:)X/g, (name) => parts[name] as string));
      },
    }));
  const list =
    (unit: (index: number) => unknown): ((size: number, mark: string) => RawRequest) =>
    (size, mark) => {
      const itemIds = Array.from({ length: Math.floor((size - 400) / 8) }, (_, index) => unit(index));
      return graphql(create(mark), { input: { nameEn: mark, itemIds } }, token);
    };
  return [
    ...shaped('form', bodyLimit, forms, (text) => send('POST', tags, text, token, formType)),
    ...shaped('JSON', bodyLimit, bodies, (text) => send('POST', tags, text, token)),
    ...shaped('document', bodyLimit, documents, graphql),
    ...shaped('small document', 13_000, documents, graphql),
    { name: 'item list variable: unknown items', max: bodyLimit, request: list((index) => 1_000_000 + index) },
    { name: 'item list variable: wrong items', max: bodyLimit, request: list(() => 'a') },
  ];
}
