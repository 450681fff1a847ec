import { parse, print } from 'graphql';
import type { Step } from '../../src/surfaces/pages/examples.ts';

export function readVariables(commands: string): Record<string, string> {
  return Object.fromEntries(
    [...commands.matchAll(/^(\w+)=(.*?) *(?:#.*)?$/gm)].map(([, name, value]) => [name, unquote(value)]),
  );
}

/** Reads a curl command with the options -X, -H and -d. */
export function readCommand(command: string, variables: Record<string, string>) {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const [, ...options] = words.map((word) => unquote(word, variables));
  let [method, path, data]: (string | undefined)[] = [];
  const headers = new Map<string, string>();
  for (let option = options.shift(); option !== undefined; option = options.shift()) {
    if (option === '-X') method = options.shift();
    else if (option === '-d') data = options.shift();
    else if (option === '-H') headers.set(...((options.shift() ?? '').split(': ') as [string, string]));
    else if (option !== '-s') path = option.replace(/^https?:\/\/[^/]+/, '');
  }
  // Placeholders of ids stand for numbers.
  const body =
    data === undefined ? undefined : JSON.parse(data.replace(/(?<=[:[,] ?)[A-Z]+_ID(?:_2)?(?=[\],}])/g, '"$&"'));
  if (body?.query !== undefined) body.query = withShortLists(print(parse(body.query)));
  method ??= body === undefined ? 'GET' : 'POST';
  const step = {
    method,
    path,
    ...(body && { body }),
    ...(headers.has('Idempotency-Key') && { hasIdempotencyKey: true }),
  } as Step;
  return {
    step,
    language: headers.get('Accept-Language'),
    token: headers.get('Authorization')?.replace('Bearer ', ''),
    isRead: method === 'GET' || /^(?:query\b|\{)/.test(body?.query ?? ''),
  };
}

/** Puts innermost selections on one line. */
const withShortLists = (query: string) =>
  query.replace(/\{\s+((?:\w+\s+)+)\}/g, (_list, names: string) => `{ ${names.trim().replace(/\s+/g, ' ')} }`);

export function expand(commands: string, variables: Record<string, string>): string {
  return commands.replace(/'?\$(\w+)'?/g, (mark, name: string) => {
    const value = variables[name];
    if (value === undefined) return mark;
    // Within a text in single quotes, the variable stands between two such texts.
    return mark.startsWith("'") && mark.endsWith("'") ? value : mark.replace(`$${name}`, value);
  });
}

function unquote(text = '', variables: Record<string, string> = {}): string {
  return text.replace(
    /'([^']*)'|"([^"]*)"|([^'"]+)/g,
    (_part, single?: string, double?: string, bare?: string) => single ?? expand(double ?? bare ?? '', variables),
  );
}
