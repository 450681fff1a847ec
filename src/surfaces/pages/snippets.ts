import { inspect } from 'node:util';
import type { Locale } from '../../kernel/localization/locale.ts';
import type { Operation, Step } from './examples.ts';

export type Format = 'curl' | 'fetch' | 'graphql';

/** Source code in a language that the highlighter knows. */
export interface Snippet {
  code: string;
  language: string;
  isVariables?: boolean;
}

interface Options {
  origin: string;
  language: Locale;
  needsToken: boolean;
}

/** A request as source code. The token is the variable TOKEN of the shell or script. */
export function writeRequest(format: Format, step: Step, { origin, language, needsToken }: Options): Snippet[] {
  const { method, path, body, hasKey } = step;
  const { query, variables = {} } = (body ?? {}) as Partial<Operation['body']>;
  if (format === 'graphql') {
    const json = formatJson(variables);
    const block = { code: json, language: 'json', isVariables: true };
    return [{ code: query ?? '', language: 'graphql' }, ...(json === '{}' ? [] : [block])];
  }
  const key = { curl: '$(openssl rand -hex 16)', fetch: `\${crypto.randomUUID()}` };
  const headers = Object.entries({
    'Accept-Language': language,
    ...(needsToken && { Authorization: `Bearer \${TOKEN}` }),
    ...(hasKey && { 'Idempotency-Key': key[format] }),
    ...(body && { 'Content-Type': 'application/json' }),
  });
  if (format === 'curl') {
    const lines = [`curl -s -X ${method} '${origin}${path}'`, ...headers.map((header) => `-H "${header.join(': ')}"`)];
    // White space in documents is insignificant.
    if (body) lines.push(`-d '${JSON.stringify(body).replace(/(?:\\n| )+/g, ' ')}'`);
    return [{ code: lines.join(' \\\n  '), language: 'bash' }];
  }
  const literal = (value: unknown) => inspect(value, { depth: null, breakLength: 90 });
  const sent = query === undefined ? literal(body) : `{ query, variables: ${literal(variables)} }`;
  const lines = [
    ...(query === undefined ? [] : [`const query = \`${query}\`;`]),
    `const response = await fetch('${origin}${path}', {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers.map(([name, value]) => `    '${name}': \`${value}\`,`),
    '  },',
    ...(body ? [`  body: JSON.stringify(${sent}),`] : []),
    '});',
    'console.log(await response.json());',
  ];
  return [{ code: lines.join('\n'), language: 'javascript' }];
}

/** JSON with each list of numbers on one line. `replacer` is as in `JSON.stringify`. */
export function formatJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer, 2).replace(
    /\[\s+([\d,\s]+?)\s+\]/g,
    (_list, ids: string) => `[${ids.replace(/\s+/g, ' ')}]`,
  );
}
