import { get, type RawRequest, send } from '../support/raw-http.ts';
import shapes from './shapes.json' with { type: 'json' };

/** A request whose `name` input has about `size` characters; `mark` makes its text unique. */
export interface Input {
  name: string;
  /** Maximum size in characters, a little below the limit of the input. */
  max: number;
  request(size: number, mark: string): RawRequest;
}

/** A text to repeat, with its index for %d and the next one for %n; or what opens and closes around a text. */
type Unit = string | [open: string, inner: string, close: string];

/** A name, and a template: %M is the mark, %X and %Y are units up to the size, %J a unit as a JSON string. */
type Shape = [name: string, template: string, x: Unit, y?: Unit];

const headerLimit = 14_000;
const bodyLimit = 500_000;
const tags = '/partner_portal/v1/product_tags';
const form = 'application/x-www-form-urlencoded';

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

function createInputs(
  place: string,
  max: number,
  rows: Shape[],
  make: (text: string, mark: string) => RawRequest,
): Input[] {
  return rows.map(([kind, template, x, y]) => ({
    name: `${place}: ${kind}`,
    max,
    request(size, mark) {
      const length = (size - 300) / (y === undefined ? 1 : 2);
      const parts: Record<string, () => string> = {
        '%M': () => mark,
        '%X': () => fill(x, length),
        '%Y': () => fill(y ?? '', length),
        // Escapes in JSON take more characters.
        '%J': () => JSON.stringify(fill(x, (length * x.length) / Buffer.byteLength(JSON.stringify(x)))),
      };
      return make(
        template.replace(/%[MXYJ]/g, (name) => parts[name]?.() ?? ''),
        mark,
      );
    },
  }));
}

/** Every text input of both APIs, with many kinds of text. */
export function inputs(token: string, tagId: number): Input[] {
  const { units, headerUnits, targetUnits, bodyUnits, headers, targets, bodies } = shapes;
  const { forms = [], json = [], variables = [], documents = [] } = shapes as unknown as Record<string, Shape[]>;
  const each = (kinds: Record<string, string>, template: string) =>
    Object.entries(kinds).map(([kind, unit]): Shape => [kind, template, unit]);
  const authorized = (request: RawRequest): RawRequest => ({
    ...request,
    headers: [...request.headers, ['Authorization', `Bearer ${token}`]],
  });
  const document = (query: string) => send('POST', '/graphql', JSON.stringify({ query }));
  const printable = Object.entries({ ...units, ...headerUnits }).filter(([, unit]) => /^[\x20-\x7e]*$/.test(unit));

  const requests: Record<string, (mark: string) => RawRequest> = {
    GET: () => get('/partner_portal/v1/countries'),
    POST: (mark) => document(`query ${mark} { services { id } }`),
  };
  // POST reads the same headers in the same code, and these in its own.
  const headerNames: Record<string, string[]> = {
    GET: headers,
    POST: ['accept', 'content-type', 'apollo-require-preflight'],
  };
  const headerInputs = Object.entries(requests).flatMap(([method, requestOf]) =>
    (headerNames[method] ?? []).flatMap((name) => {
      const start = name === 'content-type' && method !== 'GET' ? 'application/json' : 'a';
      const rows = each(Object.fromEntries(printable), `${start}%Xa`);
      return createInputs(`${method} header ${name}`, headerLimit, rows, (text, mark) => {
        const request = requestOf(mark);
        const others = request.headers.filter(([other]) => other.toLowerCase() !== name);
        return { ...request, headers: [...others, [name, text]] };
      });
    }),
  );
  const targetInputs = Object.entries(targets).flatMap(([place, line]) => {
    const [method = '', target = ''] = line.split(' ');
    return createInputs(place, headerLimit, each({ ...units, ...targetUnits }, target), (text) => {
      const url = encodeURI(text.toWellFormed()).slice(0, headerLimit);
      return authorized(method === 'PUT' ? send(method, url, '{"name_en":"Spicy"}') : get(url));
    });
  });
  const bodyInputs = Object.entries(bodies).flatMap(([place, [line = '', template = '']]) => {
    const [method = '', target = ''] = line.replace('TAG', String(tagId)).split(' ');
    const rows = each({ ...units, ...bodyUnits }, template);
    return createInputs(place, bodyLimit, rows, (text) => authorized(send(method, target, text)));
  });
  return [
    ...headerInputs,
    ...targetInputs,
    ...bodyInputs,
    ...createInputs('form', bodyLimit, forms, (text) => authorized(send('POST', tags, text, form))),
    ...createInputs('JSON', bodyLimit, json, (text) => authorized(send('POST', tags, text))),
    ...createInputs('variables', bodyLimit, variables, (text) => authorized(send('POST', '/graphql', text))),
    ...createInputs('document', bodyLimit, documents, document),
    ...createInputs('small document', 13_000, documents, document),
  ];
}
