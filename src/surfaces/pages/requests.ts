import { inspect } from 'node:util';
import type { Locale } from '../../kernel/localization/locale.ts';
import { type Step, withId } from './tasks.ts';

export const formats = ['curl', 'fetch', 'graphql'] as const;
export type Format = (typeof formats)[number];

interface Options {
  origin: string;
  language: Locale;
  needsToken: boolean;
}

/** A header: its name, and its value within quotes of a shell and in JavaScript. */
type Header = [name: string, shell: string, script: string];

/** A request as source code. A token comes from the variable TOKEN of the shell, or `token` of the script. */
export function writeRequest(format: Format, step: Step, { origin, language, needsToken }: Options): string {
  const shown = withId(step, '1');
  const headers: Header[] = [
    ['Accept-Language', language, `'${language}'`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that the page shows
    ...(needsToken ? [['Authorization', 'Bearer $TOKEN', '`Bearer ${token}`'] satisfies Header] : []),
    ...(step.hasKey ? [['Idempotency-Key', '$(openssl rand -hex 16)', 'crypto.randomUUID()'] satisfies Header] : []),
    ...(step.body ? [['Content-Type', 'application/json', "'application/json'"] satisfies Header] : []),
  ];
  if (format === 'graphql') return asGraphQL(shown);
  return (format === 'curl' ? asCurl : asFetch)(shown, origin + shown.path, headers);
}

function asCurl({ method, body }: Step, url: string, headers: Header[]): string {
  // White space of documents means nothing.
  const json = JSON.stringify(body, (name, value) => (name === 'query' ? value.replace(/\s+/g, ' ') : value));
  return [
    // curl itself sends GET, and POST with a body.
    `curl -s${method === 'PUT' ? ' -X PUT' : ''} '${url}'`,
    ...headers.map(([name, shell]) => `-H "${name}: ${shell}"`),
    ...(body === undefined ? [] : [`-d '${json.replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

function asFetch({ method, body = {} }: Step, url: string, headers: Header[]): string {
  const { query, variables } = body as { query?: string; variables?: object };
  const sent = query === undefined ? literal(body) : `{ query${variables === undefined ? '' : ', variables'} }`;
  return [
    ...(query === undefined ? [] : [`const query = \`${query}\`;`]),
    ...(variables === undefined ? [] : [`const variables = ${literal(variables)};`]),
    `const response = await fetch('${url}', {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...headers.map(([name, _shell, script]) => `    '${name}': ${script},`),
    '  },',
    ...(method === 'GET' ? [] : [`  body: JSON.stringify(${sent}),`]),
    '});',
    'console.log(await response.json());',
  ].join('\n');
}

function asGraphQL({ body, hasKey }: Step): string {
  const { query, variables } = body as { query: string; variables?: object };
  const comment = `# Variables\n${JSON.stringify(variables, null, 2)?.replace(/^/gm, '# ')}`;
  return [
    ...(hasKey ? ['# Idempotency-Key: a new one for each tag'] : []),
    query,
    ...(variables === undefined ? [] : ['', comment]),
  ].join('\n');
}

/** A value as JavaScript. */
function literal(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 90 });
}
