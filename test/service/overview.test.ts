import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import recorded from '../../src/surfaces/pages/recorded.generated.json' with { type: 'json' };
import { choices, tasks } from '../../src/surfaces/pages/tasks.ts';
import { startApp, use } from '../support/app.ts';
import { putDemoToken } from '../support/demo-token.ts';
import { type Block, blocksOf, settingsOf } from '../support/page.ts';

const app = use(await startApp());
const token = await putDemoToken(app);

async function open(path: string, language = 'en'): Promise<string> {
  return (await app.client.fetch<string>('GET', path, { language })).body;
}

const AsyncFunction = (async () => {}).constructor as FunctionConstructor;

const recordings: Record<string, { status: number; text: string }[]> = recorded;

describe.each(choices)('the overview: $surface $task $language', ({ surface, task, language }) => {
  const steps = tasks[task][surface];
  const expected = recordings[`${surface} ${task} ${language}`] ?? [];

  async function blocks(as: string): Promise<Block[]> {
    return blocksOf(await open(`/?surface=${surface}&task=${task}&language=${language}&as=${as}`));
  }

  test('shows its requests and recorded responses without JavaScript', async () => {
    const shown = await blocks('curl');
    // The last block is the command for the token.
    expect(shown).toHaveLength(2 * steps.length + 1);
    expect(shown.slice(steps.length, -1).map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  });

  test('its curl commands work in a shell and return what is recorded', async () => {
    const commands = (await blocks('curl')).slice(0, steps.length).map(({ text }) => text);
    const env = { ...process.env, TOKEN: token };
    for (const [index, command] of commands.entries()) {
      const write = " -w '\n%{http_code}'";
      const { stdout } = await promisify(execFile)('sh', ['-euc', command + write], { env });
      const [body = '', status] = stdout.trim().split(/\n(?=\d+$)/);
      expect(status).toBe(String(expected[index]?.status));
      expect(JSON.parse(body)).toBeInstanceOf(Object);
      expect(body).not.toContain('"code":"UNAUTHENTICATED"');
      // The first localized name of the recording, if there is one.
      const [name = ''] = /"name": "[^"]*"/.exec(expected[index]?.text ?? '') ?? [];
      expect(body).toContain(name.replace(': ', ':'));
    }
  });

  test('its fetch calls run as they stand', async () => {
    const scripts = (await blocks('fetch')).slice(0, steps.length).map(({ text }) => text);
    for (const [index, script] of scripts.entries()) {
      const run = new AsyncFunction('token', 'console', `${script}\nreturn response.status;`);
      expect(await run(token, { log: () => {} })).toBe(expected[index]?.status);
    }
  });
});

test('a choice that does not exist falls back to the first', async () => {
  const page = await open('/?surface=x&task=constructor&language=fr&as=graphql&as=x');
  expect(blocksOf(page)[0]?.text).toContain('query Lookups');
});

describe.each(['en', 'ar'])('the explorer in %s', (language) => {
  test('every tab runs for the demo partner, in the language of its header', async () => {
    const { tabs } = settingsOf(await open('/explorer', language));
    const responses: { [field: string]: unknown }[] = [];
    for (const { initialQuery, initialVariables, initialHeaders } of tabs) {
      // The tag of the last tab can be deleted once.
      const variables = JSON.parse(initialVariables);
      if (language === 'ar' && initialQuery.includes('Delete')) continue;
      const { status, body } = await app.client.graphql(initialQuery, variables, { token, headers: initialHeaders });
      expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
      responses.push(body.data as { [field: string]: unknown });
    }
    const none = { userErrors: [] };
    expect(responses).toMatchObject([
      { lookups: { weekDays: [{ name: language === 'en' ? 'Sunday' : 'الأحد' }, {}, {}, {}, {}, {}, {}] } },
      { countries: expect.arrayContaining([expect.objectContaining({ name: language === 'en' ? 'Egypt' : 'مصر' })]) },
      { cities: expect.arrayContaining([expect.objectContaining({ name: language === 'en' ? 'Riyadh' : 'الرياض' })]) },
      { viewer: { company: { branches: [{ address: { country: { shortCode: 'SA' } } }, {}, {}] } } },
      { viewer: { items: { nodes: expect.any(Array) } } },
      { createProductTag: { productTag: { itemIds: [1, 2] }, ...none } },
      { updateProductTag: { productTag: { id: 1, itemIds: [2, 3] }, ...none } },
      ...(language === 'en' ? [{ deleteProductTag: { deletedProductTagId: 2, ...none } }] : []),
    ]);
    const isArabic = ({ initialName }: { initialName: string }) => /^[\u0600-\u06ff ]+$/.test(initialName);
    expect(tabs.every((tab: { initialName: string }) => isArabic(tab) === (language === 'ar'))).toBe(true);
  });
});
