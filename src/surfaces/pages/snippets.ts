import type { Operation, Step } from './examples.ts';
import { idPlaceholders } from './placeholders.ts';

export const formats = { curl: 'curl', javascript: 'JavaScript', php: 'PHP', ruby: 'Ruby', python: 'Python' };

export type Format = keyof typeof formats | 'graphql';

export interface Snippet {
  code: string;
  language: string;
  isVariables?: boolean;
}

interface Options {
  origin: string;
  language?: string;
  token?: string | undefined;
}

interface Request {
  method: string;
  url: string;
  /** Without `Content-Type`. */
  headers: [name: string, value: string][];
  hasIdempotencyKey: boolean;
  /** The GraphQL document, which `body` leaves out. */
  query: string | undefined;
  body: object | undefined;
}

/** A request as source code. Browsers load this file too. */
export function writeRequest(format: Format, step: Step, options: Options): Snippet[] {
  const { origin, language, token } = options;
  const { method, path, body, hasIdempotencyKey = false } = step;
  const { query, variables, ...others } = (body ?? {}) as Partial<Operation['body']>;
  const json = unquoteIds(formatJson(variables ?? {}));
  if (format === 'graphql') {
    const block = { code: json, language: 'json', isVariables: true };
    return [{ code: query ?? '', language: 'graphql' }, ...(json === '{}' ? [] : [block])];
  }
  const headers = {
    ...(language && { 'Accept-Language': language }),
    ...(token && { Authorization: `Bearer ${token}` }),
  };
  const request = {
    method,
    url: origin + path,
    headers: Object.entries(headers),
    hasIdempotencyKey,
    query,
    body: query === undefined ? body : { ...(json !== '{}' && { variables }), ...others },
  };
  return [{ code: unquoteIds(writers[format](request)), language: format === 'curl' ? 'bash' : format }];
}

/** Removes the quotes around placeholders of ids, which stand for numbers. @public */
export function unquoteIds(code: string): string {
  return code.replace(new RegExp(`(['"])(${idPlaceholders.join('|')})\\1`, 'g'), '$2');
}

const writers: Record<keyof typeof formats, (request: Request) => string> = {
  curl({ method, url, headers, hasIdempotencyKey, query, body }) {
    const lines = [`curl -s -X ${method} '${url}'`, ...headers.map((header) => `-H ${inShell(header.join(': '))}`)];
    if (hasIdempotencyKey) lines.push('-H "Idempotency-Key: $(openssl rand -hex 16)"');
    if (body) lines.push('-H "Content-Type: application/json"');
    if (body) lines.push(`-d '${escapeForShell(curlBody(query, body))}'`);
    return lines.join(' \\\n  ');
  },

  javascript({ method, url, headers, hasIdempotencyKey, query, body }) {
    const name = query && 'query';
    const written = toLiteral(body, { open: '{ ', arrow: ': ', close: ' }', words: {}, bareNames: true }, name);
    const values = headerEntries({ headers, hasIdempotencyKey, body }, ': ', 'crypto.randomUUID()');
    return joinLines(
      query !== undefined && `const query = \`${query}\`;`,
      `const response = await fetch('${url}', {`,
      `  method: '${method}',`,
      values && `  headers: { ${values} },`,
      body && `  body: JSON.stringify(${written}),`,
      '});',
      'console.log(JSON.stringify(await response.json(), null, 2));',
    );
  },

  php({ method, url, headers, hasIdempotencyKey, query, body }) {
    const written = toLiteral(body, { open: '[', arrow: ' => ', close: ']', words: {} }, query && '$query');
    const values = headers.map((header) => quote(header.join(': ')));
    if (hasIdempotencyKey) values.push("'Idempotency-Key: ' . bin2hex(random_bytes(16))");
    if (body) values.push("'Content-Type: application/json'");
    return joinLines(
      '<?php',
      query !== undefined && `$query = <<<'GRAPHQL'\n${query}\nGRAPHQL;`,
      `$curl = curl_init('${url}');`,
      'curl_setopt_array($curl, [',
      (method !== 'POST' || !body) && `    CURLOPT_CUSTOMREQUEST => '${method}',`,
      values.length > 0 && `    CURLOPT_HTTPHEADER => [${values.join(', ')}],`,
      body && `    CURLOPT_POSTFIELDS => json_encode(${written}),`,
      ']);',
      'curl_exec($curl);',
    );
  },

  ruby({ method, url, headers, hasIdempotencyKey, query, body }) {
    const written = toLiteral(
      body,
      { open: '{ ', arrow: ' => ', close: ' }', words: { null: 'nil' } },
      query && 'query',
    );
    const values = headerEntries({ headers, hasIdempotencyKey, body }, ' => ', 'SecureRandom.uuid');
    return joinLines(
      "require 'json'\nrequire 'net/http'",
      hasIdempotencyKey && "require 'securerandom'",
      query !== undefined && `\nquery = <<~'GRAPHQL'\n  ${query.replaceAll('\n', '\n  ')}\nGRAPHQL`,
      `uri = URI('${url}')`,
      `headers = ${values ? `{ ${values} }` : '{}'}`,
      body && `body = JSON.generate(${written})`,
      "http = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https')",
      `puts http.send_request('${method}', uri.request_uri, ${body ? 'body' : 'nil'}, headers).body`,
    );
  },

  python({ method, url, headers, hasIdempotencyKey, query, body }) {
    const words = { null: 'None', true: 'True', false: 'False' };
    // `requests` sends the type of `json` itself.
    const values = headerEntries({ headers, hasIdempotencyKey, body: undefined }, ': ', 'str(uuid.uuid4())');
    const written = toLiteral(body, { open: '{', arrow: ': ', close: '}', words }, query && 'query');
    return joinLines(
      `${hasIdempotencyKey ? 'import uuid\n\n' : ''}import requests\n`,
      query !== undefined && `query = '''\n${query}\n'''`,
      `response = requests.${method.toLowerCase()}(`,
      `    '${url}',`,
      values && `    headers={${values}},`,
      body && `    json=${written},`,
      ')',
      'print(response.json())',
    );
  },
};

/** `key` is an expression for a new idempotency key. */
function headerEntries(
  { headers, hasIdempotencyKey, body }: Pick<Request, 'headers' | 'hasIdempotencyKey' | 'body'>,
  arrow: string,
  key: string,
) {
  const values = headers.map(([name, value]) => `${quote(name)}${arrow}${quote(value)}`);
  if (hasIdempotencyKey) values.push(`'Idempotency-Key'${arrow}${key}`);
  if (body) values.push(`'Content-Type'${arrow}'application/json'`);
  return values.join(', ');
}

/** The document is on one line, because a JSON string has no line breaks. */
function curlBody(query: string | undefined, body: object): string {
  if (query === undefined) return JSON.stringify(body);
  // Strings and comments depend on white space.
  const line = /["#]/.test(query) ? query : query.replace(/\s+/g, ' ');
  const members = Object.entries({ query: line, ...body });
  return `{\n${members.map(([name, value]) => `    "${name}": ${JSON.stringify(value)}`).join(',\n')}\n  }`;
}

const escapeForShell = (text: string) => text.replaceAll("'", "'\\''");
const inShell = (text: string) => (/["$`\\]/.test(text) ? `'${escapeForShell(text)}'` : `"${text}"`);
const quote = (text = '') => `'${text.replace(/['\\]/g, '\\$&')}'`;

const joinLines = (...parts: (string | false | undefined | object)[]) =>
  parts.filter((part) => typeof part === 'string').join('\n');

interface Syntax {
  open: string;
  arrow: string;
  close: string;
  /** Literals with other names than in JSON. */
  words: Record<string, string>;
  /** As in JavaScript, also for shorthand properties. */
  bareNames?: boolean;
}

/** `query` is the name of a variable that becomes the first member. */
function toLiteral(value: unknown, syntax: Syntax, query?: string): string {
  const { open, arrow, close, words, bareNames = false } = syntax;
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map((element) => toLiteral(element, syntax)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value);
  const formatName = (name: string) => (bareNames && /^\w+$/.test(name) ? name : quote(name));
  const members = Object.entries(value).map(
    ([name, member]) => `${formatName(name)}${arrow}${toLiteral(member, syntax)}`,
  );
  if (query) members.unshift(bareNames ? query : `'query'${arrow}${query}`);
  return open + members.join(', ') + close;
}

export const isSuccessful = (status: number, json: string) =>
  status < 400 && !/"(errors|userErrors)": \[\s*\{/.test(json);

/** JSON with each short object or list on one line. `replacer` is as in `JSON.stringify`. */
export function formatJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer, 2).replace(/\[[^[\]{}]*\]|\{[^[\]{}]*\}/g, (innermost) => {
    const line = innermost.replace(/\n */g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
    return line.length > 60 ? innermost : line;
  });
}
