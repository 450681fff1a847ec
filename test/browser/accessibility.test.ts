import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from './browser.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Without transitions, because axe must not see colours half way.
const run = `(() => {
  const style = new CSSStyleSheet();
  style.replaceSync('*, ::before, ::after { transition: none !important; }');
  document.adoptedStyleSheets.push(style);
  return axe.run({ preload: false, resultTypes: ['violations'] });
})()`;

const documents = await readdir(new URL('../../docs/partners', import.meta.url));

describeInBrowser('our own pages by the rules of axe', (site) => {
  const paths = ['/', '/?example=tag', '/guides', '/nothing'];
  const guides = documents.flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
  guides.push('schema', 'schema-mutations', 'schema-types');
  const cases = [...paths, '/graphql', ...guides.map((name) => `/guides/${name}`)];

  test.each(cases)('%s', async (path) => {
    const { page } = await site.open(path);
    const found: string[] = [];
    for (const { lang, colorScheme, ...viewport } of [
      { lang: 'en', width: 1280, height: 800, colorScheme: 'light' },
      { lang: 'ar', width: 390, height: 844, colorScheme: 'dark' },
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      if (lang === 'ar') await page.goto(`${site.app.url}${path}${path.includes('?') ? '&' : '?'}lang=${lang}`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>(run);
      for (const { id, impact, nodes } of violations) {
        if (impact === 'minor') continue;
        found.push(`${lang} ${id}, ${nodes.length} times: ${nodes.slice(0, 5).map(({ html }) => html.slice(0, 200))}`);
      }
    }
    expect(found).toEqual([]);
  });
});
