import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { type ServerResponse, request as sendRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documents, readDocument, root } from '../support/documents.ts';
import { startHttpServer } from '../support/http-server.ts';
import { findProgram, lacks } from '../support/programs.ts';
import { startApp, use, useFolder } from '../support/test-app.ts';

const run = promisify(execFile);
const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant({ products: 230 });
const ids = [...tenant.products, tenant.modifierGroup, tenant.modifier].toSorted((a, b) => a - b);
const folder = await useFolder();
const localUrl = 'http://127.0.0.1:4000';

interface Program {
  name: string;
  /** What runs it, and the arguments before its file. */
  command: [program: string, ...args: string[]];
  file: string;
  /** Its source code, with the token and the address of the service as in the guide. */
  code?: string;
  /** How often it sends a request that gets no response. */
  tries: number;
  /** Whether it prints the ids of all items. */
  isList?: boolean;
}

const interpreters: Record<string, string> = { sh: 'sh', js: process.execPath, php: 'php', rb: 'ruby', py: 'python3' };

/** Every program of the guides. */
const guidePrograms = await Promise.all(
  documents
    .filter((path) => path.startsWith('docs/partners/'))
    .map(async (path): Promise<Program[]> => {
      const blocks = (await readDocument(path)).matchAll(/^```(\w+) program\n(.*?)^```$/gms);
      return [...blocks].map(([, language = '', code = '']) => ({
        name: `${path} in ${language}`,
        command: [interpreters[language] as string],
        file: `program.${language === 'js' ? 'mjs' : language}`,
        code,
        tries: 1,
        isList: true,
      }));
    }),
);

const examples: Program[] = [
  {
    name: 'examples/keep-a-copy in TypeScript',
    command: [process.execPath],
    file: 'keep-a-copy/keep-a-copy.ts',
    tries: 1,
  },
  { name: 'examples/keep-a-copy in Python', command: ['python3'], file: 'keep-a-copy/keep_a_copy.py', tries: 1 },
  { name: 'examples/graphql-client', command: [process.execPath], file: 'graphql-client/src/main.ts', tries: 1 },
  { name: 'examples/rest-client', command: [process.execPath], file: 'rest-client/src/main.ts', tries: 5 },
  { name: 'examples/php', command: ['php'], file: 'php/client.php', tries: 5 },
  { name: 'examples/ruby', command: ['ruby'], file: 'ruby/client.rb', tries: 5 },
  { name: 'examples/python', command: ['python3'], file: 'python/client.py', tries: 5 },
];
const programs = [...guidePrograms.flat(), ...examples].filter(
  ({ name, command: [program] }) => !lacks(program, ...(name.endsWith(' in sh') ? ['jq'] : [])),
);

type Failure = (response: ServerResponse) => void;

const respond =
  (status: number, type: string, body: string, headers = {}): Failure =>
  (response) =>
    response.writeHead(status, { 'Content-Type': type, ...headers }).end(body);

const badGateway = respond(502, 'text/html', '<html><h1>502 Bad Gateway</h1></html>');

interface Scenario {
  /** How the service fails at a request; without a failure, it responds. */
  failure(request: number): Failure | undefined;
  /** What the program says at its end. */
  reason: RegExp;
  requests(program: Program): number | undefined;
}

const scenarios: Record<string, Scenario> = {
  '502 with a page of HTML': { failure: () => badGateway, reason: /502/, requests: () => 1 },
  '502 as the third response': {
    failure: (request) => (request === 3 ? badGateway : undefined),
    reason: /502/,
    requests: () => 3,
  },
  '200 with a page of HTML': {
    failure: () => respond(200, 'text/html', '<h1>Sign in</h1>'),
    reason: /200/,
    requests: () => 1,
  },
  'a refused connection': {
    failure: () => undefined,
    reason: /connect|refused|cannot be reached|fetch failed/i,
    requests: () => 0,
  },
  'no response': { failure: () => () => {}, reason: /time|cannot be reached/i, requests: ({ tries }) => tries },
  '503 for ever': { failure: () => respond(503, 'text/html', '<h1>503</h1>'), reason: /503/, requests: () => 5 },
  '429 once': {
    failure: (request) => (request === 1 ? respond(429, 'application/json', '{}', { 'Retry-After': '0' }) : undefined),
    reason: /^$/,
    requests: ({ isList }) => (isList ? 4 : undefined),
  },
};

interface Ended {
  code?: number;
  stdout: string;
  stderr: string;
}

/** Runs a copy of a program in a scenario. */
async function observe({ name, command: [command, ...args], file, code }: Program, scenario: string) {
  const { failure } = scenarios[scenario] as Scenario;
  let requests = 0;
  await using server = await startHttpServer((request, response) => {
    requests += 1;
    const fail = failure(requests);
    if (fail) return void fail(response);
    const { method, headers, url: path } = request;
    const { hostname, port } = new URL(app.url);
    const forward = sendRequest({ hostname, port, method, headers, path }, (forwarded) => {
      forwarded.pipe(response.writeHead(forwarded.statusCode ?? 0, forwarded.headers));
    });
    request.pipe(forward);
  });
  if (scenario === 'a refused connection') await server.close();
  const copy = join(folder, `${name}, ${scenario}`.replaceAll('/', ' '));
  const path = join(copy, file);
  if (code === undefined) {
    await cp(join(root, 'examples'), copy, { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  } else {
    await mkdir(copy);
    await writeFile(path, code.replaceAll(localUrl, server.url).replaceAll('pp_YOUR_TOKEN', tenant.token));
  }
  if (scenario === 'no response') await shortenTimeout(dirname(path));
  const env = {
    PATH: process.env.PATH,
    GATEWAY_URL: server.url,
    GATEWAY_TOKEN: tenant.token,
    ITEM_ID: `${tenant.products[0]}`,
  };
  // A program that loops fails its test.
  const ended = run(findProgram(command) ?? command, [...args, path], { env, cwd: copy, timeout: 200_000 });
  const { code: status = 0, stdout, stderr }: Ended = await ended.catch((error) => error);
  return { status, stdout, stderr, requests };
}

/** Makes 30 seconds of a program two, so that the test does not last for minutes. */
async function shortenTimeout(from: string): Promise<void> {
  const files = (await readdir(from)).map((each) => join(from, each));
  const texts = await Promise.all(files.map(async (each) => [each, await readFile(each, 'utf8')] as const));
  const timed = texts.filter(([, text]) => timeout.test(text));
  expect(timed).not.toEqual([]);
  for (const [each, text] of timed) await writeFile(each, text.replaceAll(new RegExp(timeout, 'gi'), '$12$2'));
}

const timeout = /(time(?:out)?\W{1,4})30((?:_000)?)\b/i;

// At the same time, because most of them wait.
const observed = await Promise.all(
  programs.flatMap((program) =>
    Object.entries(scenarios).map(async ([name, scenario]) => ({
      program,
      name,
      scenario,
      ...(await observe(program, name)),
    })),
  ),
);

test.each(observed.map((each) => [each.program.name, each.name, each] as const))(
  '%s terminates, %s',
  (_program, _scenario, { program, name, scenario, status, stdout, stderr, requests }) => {
    expect.soft(stderr).toMatch(scenario.reason);
    expect.soft(stderr.trim().split('\n')).toHaveLength(1);
    const expected = scenario.requests(program) ?? requests;
    // On a busy machine, two seconds may end before a request is sent.
    if (name === 'no response') expect.soft(requests).toBeLessThanOrEqual(expected);
    else expect.soft(requests).toBe(expected);
    const isDone = name === '429 once';
    expect.soft(status === 0).toBe(isDone);
    if (!program.isList) return;
    const printed =
      stdout.trim() === ''
        ? []
        : stdout
            .trim()
            .split('\n')
            .map((line) => Number.parseInt(line, 10));
    const pages = name === '502 as the third response' ? 2 : 0;
    expect(printed).toEqual(isDone ? ids : ids.slice(0, 100 * pages));
  },
);
