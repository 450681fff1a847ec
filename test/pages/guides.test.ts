import { readdir, readFile } from 'node:fs/promises';
import { buildSchema, type GraphQLObjectType, isEnumType, isScalarType } from 'graphql';
import { expect, test } from 'vitest';
import en from '../../src/kernel/errors/messages.en.json' with { type: 'json' };
import { sharedApp, startApp } from '../support/test-app.ts';
import { toText } from './page-parts.ts';

const app = await sharedApp();
const files = await readdir(new URL('../../docs/partners', import.meta.url));
const ofSchema = ['schema', 'schema-mutations', 'schema-types'];
const names = [...files.map((file) => file.replace(/\.md$/, '')), ...ofSchema];

async function open(path: string) {
  const answer = await app.client.fetch('GET', path, { headers: { Accept: 'text/html' } });
  // Links lead to JSON too.
  const body = String(answer.body);
  const links = [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link = '']) => link);
  return { status: answer.status, body, links, ids: [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id) };
}

test('the index and the navigation list every guide once, in five groups', async () => {
  const [index, guide] = [await open('/guides'), await open('/guides/limits')];
  const groups = ['Start', 'Tags and items', 'Frontends', 'REST', 'Reference'];
  expect([...index.body.matchAll(/<h2>(.*)<\/h2>/g)].map(([, group]) => group)).toEqual(groups);
  expect([...guide.body.matchAll(/<strong lang="en">(.*)<\/strong>/g)].map(([, group]) => group)).toEqual(groups);
  const [, ...listed] = index.links.filter((link) => /^\/guides\b.*lang=en/.test(link));
  expect(listed.toSorted()).toEqual(names.map((name) => `/guides/${name}?lang=en`).toSorted());
  expect(guide.links.filter((link) => listed.includes(link)).slice(0, listed.length)).toEqual(listed);
  // Each says in one sentence what it is for.
  const cards = [...index.body.matchAll(/<strong>[^<]+<\/strong><span>([^<]*)<\/span>/g)].map(([, purpose]) => purpose);
  expect(cards.filter((purpose) => /^[A-Z][^.]+\.$/.test(`${purpose}`))).toHaveLength(names.length);
});

test.each(['/', '/guides', ...names.map((name) => `/guides/${name}`)])(
  'the links of %s lead to pages and anchors',
  async (path) => {
    const { status, body, links, ids } = await open(path);
    expect(status).toBe(200);
    if (path.startsWith('/guides/')) {
      expect(body).toMatch(/<div class="guide">\n<h1 lang="en" dir="ltr">/);
      expect(links.some((link) => link.startsWith('#') && link !== '#content')).toBe(true);
    }
    expect(ids).toEqual([...new Set(ids)]);
    for (const link of new Set(links.filter((each) => !each.startsWith('https:')))) {
      const [to = '', anchor] = link.replaceAll('&amp;', '&').split('#');
      const target = to === '' ? { status: 200, ids } : await open(to);
      expect(target.status, link).toBe(200);
      // The explorer's anchors are operations.
      if (anchor !== undefined && !to.startsWith('/explorer')) expect(target.ids, link).toContain(anchor);
    }
  },
);

test('every error is an expandable row with an anchor and a table of contents entry', async () => {
  const { body, links } = await open('/guides/errors');
  for (const code of Object.keys(en.errors)) {
    expect(body).toMatch(new RegExp(`<details class="error" id="${code}"><summary><code>${code}</code> <b>\\d{3}`));
    expect(links).toContain(`#${code}`);
  }
});

test('the schema pages have every type and operation, examples, and former anchors', async () => {
  const pages = await Promise.all(ofSchema.map((name) => open(`/guides/${name}`)));
  const body = pages.map((page) => page.body).join('');
  const [ids, ...others] = pages.map((page) => page.ids);
  const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
  const operations = [schema.getQueryType(), schema.getMutationType()];
  const fields = operations.flatMap((type) => Object.values(type?.getFields() ?? {}));
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !isScalarType(type) && !operations.includes(type as never),
  );
  const anchors = [...fields, ...types].map(({ name }) => name);
  expect(ids).toEqual(expect.arrayContaining([...anchors, 'mutations', 'types', 'inputs', 'enums', 'scalars']));
  // The first page leads on to those of the others.
  const leading = anchors.filter((name) => others.flat().includes(name));
  expect(leading.length).toBeGreaterThan(30);
  for (const id of leading)
    expect(body).toMatch(new RegExp(`<a id="${id}" href="/guides/schema-\\w+\\?lang=en#${id}">`));
  const sections = new Map(body.split(/<h3 id="/).map((part) => [part.slice(0, part.indexOf('"')), part]));
  for (const { name, args, description } of fields) {
    const section = sections.get(name) ?? '';
    for (const part of ['Returns:', 'Errors:', 'Cost:', 'GraphQL</span>']) expect(section, name).toContain(part);
    for (const arg of args) expect(section).toContain(`<code>${arg.name}</code>`);
    expect(description).toBeTruthy();
  }
  const text = body.replace(/<[^>]*>/g, '');
  for (const part of ['search: $search', 'tagged: $tagged', 'productTag(id: $id)']) expect(text).toContain(part);
  for (const type of types) {
    const parts = isEnumType(type) ? type.getValues() : Object.values((type as GraphQLObjectType).getFields());
    for (const { name } of parts) expect(sections.get(type.name), type.name).toContain(`<code>${name}</code>`);
  }
});

test('the example clients can be read and downloaded', async () => {
  const { body, links } = await open('/guides/examples');
  const downloads = links.filter((link) => link.startsWith('/guides/examples/'));
  for (const file of ['python/client.py', 'php/client.php', 'ruby/client.rb', 'graphql-client/src/main.ts'])
    expect(downloads).toContain(`/guides/examples/${file}`);
  for (const link of downloads) {
    const { status, headers, body: text } = await app.client.fetch<string>('GET', link);
    const source = await readFile(new URL(`../../${link.replace('/guides/', '')}`, import.meta.url), 'utf8');
    expect({ link, status, type: headers.get('content-type') }).toMatchObject({ link, status: 200 });
    // A client of this test parses JSON.
    expect(typeof text === 'string' ? text : `${JSON.stringify(text, null, 2)}\n`, link).toBe(source);
  }
  const shown = toText(body.replace(/<[^>]*>/g, ''));
  expect(shown).toContain('One key per tag, so that a retry does not create a second one.');
});

test('the changes page has the policy and the changes for partners', async () => {
  const { body } = await open('/guides/changes');
  expect(body).toContain('REST v1 is frozen');
  expect(body).toContain('Safe retries of creates');
  expect(body).not.toContain('embedded database for development');
});

test('requests have placeholders and inputs for the token and ids of the reader', async () => {
  const { body } = await open('/guides/tag-products');
  for (const mark of ['pp_YOUR_TOKEN', 'TAG_ID', 'ITEM_ID', 'ITEM_ID_2'])
    expect(body).toContain(`<span class="mark" data-mark="${mark}"><span>${mark}</span></span>`);
  for (const name of ['token', 'TAG_ID', 'ITEM_ID', 'ITEM_ID_2']) expect(body).toContain(`name="${name}"`);
});

test.each(names)('no request of %s has a real id', async (name) => {
  const { body } = await open(`/guides/${name}`);
  // The others are requests, and files of examples.
  const figures = body.match(/<figure(?: class="request")?>.*?<\/figure>/gs) ?? [];
  const requests = figures.filter((figure) => !/<span>(?:Response|[\w/.]+\.\w+)<\/span>/.test(figure));
  for (const figure of requests) {
    const shown = toText(figure.replace(/<[^>]*>/g, ''));
    expect(shown).not.toMatch(/product_tags\/\d|\b(?:TAG|ITEM)(?:_2)?=\d|\b(?:id|itemId)\W{1,5}[1-9]/);
    expect(shown).not.toMatch(/(?:item_ids|itemIds|productTagIds)\W*[1-9]/);
  }
  const markdown = await app.client.fetch<string>('GET', `/guides/${name}.md`);
  for (const text of [body, markdown.body]) expect(text).not.toContain('demo-token');
  expect(markdown.body).not.toMatch(/^(?:TAG|ITEM)\w*=\d/m);
});

test.each(['/', '/guides/quickstart'])('a forwarded scheme changes %s only if it is http or https', async (path) => {
  await using proxied = await startApp({ TRUST_PROXY: 'loopback' });
  const { host } = new URL(proxied.url);
  for (const scheme of ['https', 'javascript', '"><script>alert(1)</script>']) {
    const headers = { Accept: 'text/html', 'X-Forwarded-Proto': scheme };
    const page = String((await proxied.client.fetch('GET', path, { headers })).body);
    const [other, shown] = scheme === 'https' ? ['http', 'https'] : [scheme, 'http'];
    expect(page).toContain(`${shown}://${host}`);
    expect(page).not.toContain(`${other}://`);
  }
});
