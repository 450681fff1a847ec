import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import en from '../../src/kernel/errors/messages.en.json' with { type: 'json' };
import { sharedApp } from '../support/app.ts';

const app = await sharedApp();
const files = await readdir(new URL('../../docs/partners', import.meta.url));
const names = files.map((file) => file.replace(/\.md$/, ''));

async function open(path: string) {
  const answer = await app.client.fetch('GET', path, { headers: { Accept: 'text/html' } });
  // Links lead to JSON too.
  const body = String(answer.body);
  const links = [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, link = '']) => link);
  return { status: answer.status, body, links, ids: [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id) };
}

test('the index links to a page for every document of docs/partners', async () => {
  const { links } = await open('/guides');
  const guides = links.flatMap((link) => /^\/guides\/([\w-]+)\?lang=en$/.exec(link)?.[1] ?? []);
  expect(guides.toSorted()).toEqual(names.toSorted());
});

test.each(names)('%s is a page whose links lead to pages and anchors', async (name) => {
  const { status, body, links, ids } = await open(`/guides/${name}`);
  expect(status).toBe(200);
  expect(body).toMatch(/<article lang="en" dir="ltr">\n<h1 /);
  expect(ids).toEqual([...new Set(ids)]);
  expect(links.some((link) => link.startsWith('#') && link !== '#content')).toBe(true);
  for (const link of new Set(links.filter((each) => !each.startsWith('https:')))) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? { status: 200, ids } : await open(path);
    expect(target.status, link).toBe(200);
    if (anchor !== undefined) expect(target.ids, link).toContain(anchor);
  }
});

test('errors has an anchor for every code', async () => {
  expect((await open('/guides/errors')).ids).toEqual(expect.arrayContaining(Object.keys(en.errors)));
});
