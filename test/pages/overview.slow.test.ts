import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import recorded from '../../src/surfaces/pages/recorded.generated.json' with { type: 'json' };
import { putDemoToken } from '../support/put-demo-token.ts';
import { startApp, use } from '../support/test-app.ts';
import { blocksOf, settingsOf } from './page-parts.ts';

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
    const env = { ...process.env, TOKEN: token };
    const { stdout } = await promisify(execFile)('sh', ['-euc', `${withStatus}${command}`], { env });
    const [body = '', status] = stdout.trim().split(/\n(?=\d+$)/);
    return { status: Number(status), body: JSON.parse(body) };
  },
  async javascript(script) {
    const logged: object[] = [];
    const run = new AsyncFunction('console', `${script.replace('pp_YOUR_TOKEN', token)}\nreturn response.status;`);
    const status = await run({ log: (json: object) => logged.push(json) });
    return { status, body: logged[0] ?? {} };
  },
};

/** Uses the id of the tag that the previous request created. */
const withId = (code: string, id?: string) =>
  id === undefined ? code : code.replace(/(product_tags\/|\bid"?: ?)\d+/, `$1${id}`);

describe.each(Object.entries<{ status: number; text: string }[]>(recorded))(
  'the overview: %s',
  (choice, recordings) => {
    const [api, example, language] = choice.split(' ');
    const { length } = recordings;

    test.each(Object.entries(runners))('its requests by %s work and return what is recorded', async (format, run) => {
      const page = await open(`/?api=${api}&example=${example}&language=${language}&as=${format}`);
      expect(page.includes('<form id="run" hidden>')).toBe(length > 0);
      const requests = blocksOf(page, 'request');
      expect(requests).toHaveLength(length);
      expect(blocksOf(page, 'response')).toEqual(recordings.map(({ text }) => text));
      let id: string | undefined;
      for (const [index, request] of requests.entries()) {
        const { status, body } = await run(withId(request, id));
        const text = JSON.stringify(body);
        expect(status).toBe(recordings[index]?.status);
        expect(text).not.toContain('"code":"UNAUTHENTICATED"');
        // The first localized name of the recording, if there is one.
        const [name = ''] = /"name": "[^"]*"/.exec(recordings[index]?.text ?? '') ?? [];
        expect(text).toContain(name.replace(': ', ':'));
        id = /"id":(\d+)/.exec(text)?.[1];
      }
    });
  },
);

test('a GraphQL request with variables is shown in two blocks', async () => {
  const [query, variables = ''] = blocksOf(await open('/?example=cities&as=graphql'), 'request');
  expect(query).toContain('query Cities($countryId: Int)');
  expect(JSON.parse(variables)).toEqual({ countryId: 682 });
});

test('a choice that does not exist falls back to the first', async () => {
  const page = await open('/?api=x&example=constructor&language=fr&as=graphql&as=x');
  expect(blocksOf(page)[0]).toContain('query Lookups');
});

test.each([
  ['en', 'Sunday'],
  ['ar', 'الأحد'],
])(
  'in %s, every tab of the explorer runs for the demo partner, in the language of its header',
  async (language, day) => {
    const { examples, headers } = settingsOf(await open('/explorer', language));
    expect(examples.length).toBeGreaterThan(0);
    for (const { query, variables } of examples) {
      expect(/^# [\u0600-\u06ff\d: ،]+\n/.test(query)).toBe(language === 'ar');
      const { body } = await app.client.graphql(query, JSON.parse(variables), { token, headers: JSON.parse(headers) });
      expect(body.errors).toBeUndefined();
      // The page replaces id 0 by that of a tag it created.
      const isOfNewTag = variables.includes('"id": 0');
      expect(JSON.stringify(body)).toMatch(
        isOfNewTag
          ? /PRODUCT_TAG_NOT_FOUND|"productTag":null/
          : query.includes('userErrors')
            ? /"userErrors":\[\]/
            : /"name":/,
      );
      if (query.includes('weekDays')) expect(JSON.stringify(body)).toContain(day);
    }
  },
);
