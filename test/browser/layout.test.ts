import { expect, test } from 'vitest';
import { describeInBrowser, getBox, languages, windows } from './browser.ts';

// Runs in the page: the rows of the links of the header, and those that the window cuts off.
const measure = `(() => {
  const links = [...document.querySelectorAll('header nav a')].filter((each) => each.checkVisibility());
  const box = (link) => link.getBoundingClientRect();
  const isCut = (link) => box(link).left < 0 || box(link).right > innerWidth;
  return { rows: new Set(links.map((link) => Math.round(box(link).top))).size, cut: links.filter(isCut).map((link) => link.textContent) };
})()`;

describeInBrowser('the layout', (site) => {
  const paths = [
    '/',
    '/docs',
    '/guides',
    '/guides/quickstart',
    '/guides/errors',
    '/guides/schema',
    '/guides/schema-types',
    '/guides/tokens',
  ];

  test.each(paths)('%s: complete navigation and no horizontal scrolling at any size', async (path) => {
    const { page, overflow } = await site.open('/nothing');
    for (const [, lang] of languages) {
      await page.goto(`${site.app.url}${path}?lang=${lang}`);
      for (const viewport of windows) {
        await page.setViewportSize(viewport);
        const measured = async () => ({ viewport, ...(await page.evaluate<object>(measure)), ...(await overflow()) });
        await expect.poll(measured).toMatchObject({ viewport, rows: 1, cut: [], across: 0 });
      }
    }
  });

  test('the skip link causes no layout shift and does not intercept clicks', async () => {
    const { page } = await site.open('/');
    const [link, before] = [page.locator('.skip'), await getBox(page, 'header')];
    await page.keyboard.press('Tab');
    expect(await getBox(page, 'header')).toEqual(before);
    const { x, y, height } = await getBox(page, '.skip');
    expect({ isSeen: x >= 0 && y >= 0 && height > 20 }).toEqual({ isSeen: true });
    expect(await link.evaluate('getComputedStyle(document.activeElement).backgroundColor')).not.toBe(
      'rgba(0, 0, 0, 0)',
    );
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.response').getByText('Live').waitFor();
    await page.goto(`${site.app.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    await page.locator('.skip').press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  test('after a rejected creation, the update is not sent', async () => {
    const { page } = await site.open('/?example=tag');
    const update = page.locator('.requests').last();
    const shown = await update.innerText();
    expect(shown).toContain('"id": TAG_ID');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.response').first().getByText('401 Failed').waitFor();
    await page.locator('.response').last().getByText('Not sent, because no earlier response has TAG_ID.').waitFor();
    expect(await update.innerText()).toBe(shown);
  });

  test('Arabic in JSON keeps its direction and punctuation', async () => {
    const { page } = await site.open('/?api=rest&example=error&language=ar&lang=ar');
    await page.locator('.response .hljs-string').first().waitFor();
    // The end of an Arabic sentence is at its left, and its colon is to the right of the field's name.
    const found = await page.evaluate<[number, number, number]>(`(() => {
      const [string] = [...document.querySelectorAll('.response .hljs-string')].filter((each) => /\\.\\"$/.test(each.textContent));
      const at = (node, from, to) => {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        return range.getClientRects()[0].left;
      };
      const { firstChild: text } = string;
      const last = [...string.getClientRects()].at(-1);
      return [at(text, 1, 2), at(text, text.length - 2, text.length - 1), last.left];
    })()`);
    const [, stop, left] = found;
    expect(stop - left).toBeLessThan(20);
    expect(
      await page
        .locator('.response .hljs-string')
        .first()
        .evaluate('getComputedStyle(document.querySelector(".response .hljs-string")).unicodeBidi'),
    ).toBe('isolate');
  });
});
