import { inspect } from 'node:util';
import type { Locale } from '../../kernel/localization/locale.ts';
import type { Step } from './tasks.ts';

export const formats = ['curl', 'fetch', 'graphql'] as const;
export type Format = (typeof formats)[number];

interface Request {
  origin: string;
  language: Locale;
  needsToken: boolean;
}

/** A request as source code. A token comes from the variable TOKEN of the shell, or `token` of the script. */
export function writeRequest(format: Format, step: Step, request: Request): string {
  const shown = JSON.parse(JSON.stringify(step).replaceAll(/"\{id\}"|\{id\}/g, '1')) as Step;
  return writers[format](shown, request);
}

const writers: Record<Format, (step: Step, request: Request) => string> = {
  curl({ method, path, headers = {}, body }, { origin, language, needsToken }) {
    const parts = [
      // curl itself sends GET, and POST with a body.
      `curl -s${method === 'PUT' ? ' -X PUT' : ''} '${origin}${path}'`,
      `-H 'Accept-Language: ${language}'`,
      ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
      ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ];
    if (body !== undefined) {
      parts.push("-H 'Content-Type: application/json'", `-d '${compact(body).replaceAll("'", String.raw`'\''`)}'`);
    }
    return parts.join(' \\\n  ');
  },

  fetch({ method, path, headers = {}, body }, { origin, language, needsToken }) {
    const { query, variables } = (body ?? {}) as { query?: string; variables?: object };
    const sent = query === undefined ? literal(body) : `{ query${variables === undefined ? '' : ', variables'} }`;
    const constants = [
      ...(query === undefined ? [] : [`const query = \`${query}\`;\n`]),
      ...(variables === undefined ? [] : [`const variables = ${literal(variables)};\n`]),
    ];
    const lines = [
      `'Accept-Language': '${language}'`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code that the page shows
      ...(needsToken ? ['Authorization: `Bearer ${token}`'] : []),
      ...Object.entries(headers).map(([name, value]) => `'${name}': '${value}'`),
      ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ];
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}'`]),
      `headers: {\n    ${lines.join(',\n    ')},\n  }`,
      ...(body === undefined ? [] : [`body: JSON.stringify(${sent})`]),
    ];
    return `${constants.join('')}const response = await fetch('${origin}${path}', {\n  ${options.join(',\n  ')},\n});\nconsole.log(await response.json());`;
  },

  graphql({ headers = {}, body }) {
    const { query, variables } = body as { query: string; variables?: object };
    return [
      ...Object.entries(headers).map(([name, value]) => `# ${name}: ${value}\n`),
      query,
      ...(variables === undefined
        ? []
        : [`\n\n# Variables\n${JSON.stringify(variables, null, 2).replace(/^/gm, '# ')}`]),
    ].join('');
  },
};

/** JSON for one line of a shell; white space of documents means nothing. */
function compact(body: object): string {
  return JSON.stringify(body, (name, value) => (name === 'query' ? value.replace(/\s+/g, ' ') : value));
}

/** A value as JavaScript. */
function literal(value: unknown): string {
  return inspect(value, { depth: null, breakLength: 90 });
}
