import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from './support/app.ts';
import { putDemoToken } from './support/demo-token.ts';
import { type Block, blocksOf } from './support/page.ts';

const routes = [
  'GET /partner_portal/v1/lookups',
  'GET /partner_portal/v1/countries',
  'GET /partner_portal/v1/cities',
  'GET /partner_portal/v1/timezones',
  'GET /partner_portal/v1/services',
  'POST /partner_portal/v1/product_tags',
  'PUT /partner_portal/v1/product_tags/:id',
];

const labels = {
  en: ['REST request', 'REST answer', 'GraphQL document', 'Variables', 'GraphQL answer', 'more'],
  ar: ['طلب REST', 'جواب REST', 'مستند GraphQL', 'المتغيرات', 'جواب GraphQL', 'غيرها'],
} as const;

describe.each(['en', 'ar'] as const)('the overview in %s', (language) => {
  const [request, restAnswer, document, variables, graphqlAnswer, more] = labels[language];
  let app: TestApp;
  let token: string;
  /** The command by which the page has a shell know the token. */
  let readToken: string;
  let page: string;
  /** The part of each route, by the route. */
  let parts: Map<string, Block[]>;
  beforeAll(async () => {
    app = await startApp();
    token = await putDemoToken(app);
    if (language === 'ar') await createTag('Taken');
    page = (await app.client.fetch<string>('GET', '/', { language })).body;
    // Elsewhere the page does not know where it is, and nobody's is shown.
    const shown = blocksOf(page).find(({ text }) => text.startsWith('TOKEN='))?.text ?? '';
    readToken = app.dataDir === '' ? shown.replace('pp_…', token) : shown;
    parts = new Map(
      [...page.matchAll(/<article id="\w+">\s*<h3[^>]*>(.*?)<\/h3>(.*?)<\/article>/gs)].map(
        ([, title = '', part = '']) => [title.replace(/<[^>]*>/g, ''), blocksOf(part)],
      ),
    );
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const createTag = (name: string) => app.client.rest('POST', '/product_tags', { token, body: { name_en: name } });

  function block(route: string, label: string): string {
    const found = parts.get(route)?.find((each) => each.label === label);
    if (found === undefined) throw new Error(`${route} has no ${label}`);
    return found.text;
  }

  async function runInShell(command: string): Promise<string> {
    const env = { ...process.env, DATA_DIR: app.dataDir };
    const { stdout } = await promisify(execFile)('sh', ['-euc', `${readToken}\n${command}`], { env });
    return stdout;
  }

  /** Expects the page to show the answer: whole, but for the ends of long lists, of which it says the number. */
  function expectShown(shown: string, answer: unknown): void {
    const left = /^( *)… \D*(\d+)\D*$/;
    const full = JSON.stringify(answer, null, 2)
      .replace(/\[\s+([\d,\s]+?)\s+\]/g, (_list, ids: string) => `[${ids.replace(/\s+/g, ' ')}]`)
      .split('\n');
    let line = 0;
    for (const shownLine of shown.split('\n')) {
      const [, indent = '', count] = left.exec(shownLine) ?? [];
      if (count === undefined) {
        expect(shownLine).toBe(full[line]);
        line += 1;
        continue;
      }
      expect(shownLine).toContain(more);
      const end = full.findIndex((each, index) => index >= line && each.startsWith(`${indent.slice(2)}]`));
      expect(full.slice(line, end).filter((each) => each === `${indent}{`)).toHaveLength(Number(count));
      line = end;
    }
    expect(line).toBe(full.length);
  }

  test('has each route', () => {
    expect([...parts.keys()]).toEqual(routes);
    for (const route of routes) expect(page).toMatch(new RegExp(`<tr><th scope="row"><a [^>]*>${route}</a>`));
  });

  test('begins with a command and a document that work', async () => {
    const [command, first] = blocksOf(page);
    const expected = await app.client.graphql('{ countries { id name } }', {}, { language });
    expect(JSON.parse(await runInShell(command?.text ?? ''))).toEqual(expected.body);
    expect((await app.client.graphql(first?.text ?? '', {}, { language })).body).toEqual(expected.body);
  });

  test.each(routes)('%s: its command works in a shell, and answers as shown', async (route) => {
    const answered = JSON.parse(await runInShell(block(route, request)));
    if (route === 'GET /partner_portal/v1/lookups') expect(answered.lookups).toHaveLength(2);
    expectShown(block(route, restAnswer), answered);
  });

  test.each(routes)('%s: its document is what the route executes, and answers as shown', async (route) => {
    const shown = block(route, document);
    const given = parts.get(route)?.find(({ label }) => label === variables)?.text ?? '{}';
    const { status, body } = await app.client.graphql(shown, JSON.parse(given), { language, token });
    expect(status).toBe(200);
    // The command has created the tag that the page shows; this is one more.
    const outcome = body.data.outcome?.productTag;
    if (route.startsWith('POST') && outcome) outcome.id -= 1;
    expectShown(block(route, graphqlAnswer), body);
  });

  // The last one: it changes what the others expect.
  test('follows the reference data', async () => {
    await app.db.updateTable('services').set({ nameEn: 'New name', nameAr: 'اسم جديد' }).where('id', '=', 1).execute();
    const open = async () => (await app.client.fetch<string>('GET', '/', { language })).body;
    await expect.poll(open, { timeout: 15_000, interval: 100 }).toContain(language === 'en' ? 'New name' : 'اسم جديد');
  });
});
