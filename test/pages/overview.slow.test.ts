import { execFile } from 'node:child_process';
import { format, promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import recorded from '../../src/surfaces/pages/recorded.generated.json' with { type: 'json' };
import { putDemoToken } from '../support/put-demo-token.ts';
import { startApp, use } from '../support/test-app.ts';
import { findBlocks, parseSettings, toText } from './page-parts.ts';

const app = use(await startApp());
const token = await putDemoToken(app);

async function open(path: string, language = 'en'): Promise<string> {
  return (await app.client.fetch<string>('GET', path, { language })).body;
}

const withStatus = `curl() { command curl -w '\\n%{http_code}' "$@"; }\n`;
const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

/** Runs a shown request; resolves to the status and the body of its response. */
const runners: Record<string, (code: string) => Promise<{ status: number; body: object }>> = {
  async curl(command) {
    const { stdout } = await promisify(execFile)('sh', ['-euc', withStatus + withToken(command)]);
    const [body = '', status] = stdout.trim().split(/\n(?=\d+$)/);
    return { status: Number(status), body: JSON.parse(body) };
  },
  async javascript(script) {
    const logged: string[] = [];
    const run = new AsyncFunction('console', `${withToken(script)}\nreturn response.status;`);
    const status = await run({ log: (...texts: unknown[]) => logged.push(format(...texts)) });
    // What a console prints: every level of the response.
    return { status, body: JSON.parse(logged.join('\n')) };
  },
};

const withToken = (code: string) => code.replace('pp_YOUR_TOKEN', token);

describe.each(Object.entries<{ status: number; text: string }[]>(recorded))(
  'the overview: %s',
  (choice, recordings) => {
    const [api, example, language] = choice.split(' ');
    const { length } = recordings;

    test.each(Object.entries(runners))('requests by %s return the recorded responses', async (format, run) => {
      const page = await open(`/?api=${api}&example=${example}&language=${language}&as=${format}`);
      expect(page.includes('<form id="run" hidden>')).toBe(length > 0);
      const requests = findBlocks(page, 'request');
      expect(requests).toHaveLength(length);
      expect(findBlocks(page, 'response')).toEqual(recordings.map(({ text }) => text));
      let id = 'TAG_ID';
      for (const [index, request] of requests.entries()) {
        const { status, body } = await run(request.replace('TAG_ID', id));
        const text = JSON.stringify(body);
        expect(status).toBe(recordings[index]?.status);
        expect(text).not.toContain('"code":"UNAUTHENTICATED"');
        // The first localized name of the recording, if there is one.
        const [name = ''] = /"name": "[^"]*"/.exec(recordings[index]?.text ?? '') ?? [];
        expect(text).toContain(name.replace(': ', ':'));
        id = /"id":(\d+)/.exec(text)?.[1] ?? id;
      }
    });
  },
);

test.each(Object.keys(recorded))('the commands of curl contain valid JSON: %s', async (choice) => {
  const [api, example, language] = choice.split(' ');
  // Prints its data as it was written.
  const curl = 'curl() { while [ $# -gt 0 ]; do if [ "$1" = -d ]; then printf %s "$2"; fi; shift; done; cat; }\n';
  const page = await open(`/?api=${api}&example=${example}&language=${language}&as=curl`);
  for (const command of findBlocks(page, 'request').filter((each) => each.includes('Content-Type'))) {
    const sh = promisify(execFile)('sh', ['-euc', curl + command.replace('TAG_ID', '3')]);
    sh.child.stdin?.end();
    expect(JSON.parse((await sh).stdout)).toBeTypeOf('object');
  }
});

test('a GraphQL request and its variables are separate blocks', async () => {
  const [query, variables = ''] = findBlocks(await open('/?example=cities&as=graphql'), 'request');
  expect(query).toContain('query Cities($countryId: Int)');
  expect(JSON.parse(variables)).toEqual({ countryId: 682 });
});

test('a choice that does not exist falls back to the first', async () => {
  const page = await open('/?api=x&example=constructor&language=fr&as=graphql&as=x');
  expect(findBlocks(page)[0]).toContain('query Lookups');
});

test.each([
  ['en', 'Sunday'],
  ['ar', 'الأحد'],
])('in %s, every explorer example runs for the demo partner in its language', async (language, day) => {
  const page = await open('/explorer', language);
  const examples = [...page.matchAll(/<a href="#(query=[^"]+)">/g)].map(([, operation]) => operation);
  const headers = JSON.parse(parseSettings(page).headers);
  expect(examples.length).toBeGreaterThan(0);
  for (const operation of examples) {
    const { query = '', variables = '' } = Object.fromEntries(new URLSearchParams(toText(operation ?? '')));
    const { body } = await app.client.graphql(query, JSON.parse(variables), { token, headers });
    expect(body.errors).toBeUndefined();
    // The reader replaces id 0 by that of a tag.
    const needsId = variables.includes('"id": 0');
    if (needsId) expect(/^# [\u0600-\u06ff]/.test(query)).toBe(language === 'ar');
    expect(JSON.stringify(body)).toMatch(
      needsId
        ? /PRODUCT_TAG_NOT_FOUND|"productTag":null/
        : query.includes('userErrors')
          ? /"userErrors":\[\]/
          : /"name":/,
    );
    if (query.includes('weekDays')) expect(JSON.stringify(body)).toContain(day);
  }
});
