import { expect, test } from 'vitest';
import { boxOf, describeInBrowser, languages, windows } from './browser.ts';

// Runs in the page. `words` are those on two lines in codes outside of blocks, `loose` codes that are on another line than their comma.
const measure = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const box = (element) => element.getBoundingClientRect();
  const inside = (element, side) => {
    const style = getComputedStyle(element);
    return side === 'left' ? box(element).left + parseFloat(style.paddingLeft) : box(element).right - parseFloat(style.paddingRight);
  };
  const links = all('header nav a');
  const [current] = all('header [aria-current]');
  const [header, main] = [document.querySelector('header'), document.querySelector('main')];
  const words = all('article :is(p, li, td, summary) code').flatMap((code) => {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      for (const { index, 0: word } of texts.currentNode.data.matchAll(/[\\w-]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (range.getClientRects().length > 1) found.push(word);
      }
    }
    return found;
  });
  const loose = all('article :not(pre) > code').filter((code) => {
    const { nextSibling: next } = code;
    if (next?.nodeType !== Node.TEXT_NODE || !/^[.,:;)]/.test(next.data)) return false;
    const range = document.createRange();
    range.setStart(next, 0);
    range.setEnd(next, 1);
    return range.getBoundingClientRect().top > [...code.getClientRects()].at(-1).bottom;
  });
  return {
    rows: new Set(links.map((link) => Math.round(box(link).top))).size,
    cut: links.filter((link) => box(link).left < 0 || box(link).right > innerWidth).map((link) => link.textContent),
    underline: current ? getComputedStyle(current).borderBottomWidth : 'none',
    strip: innerWidth - box(header).width,
    edges: ['left', 'right'].map((side) => Math.round(inside(header, side) - inside(main, side))),
    words,
    loose: loose.map((code) => code.textContent),
    isLate: document.querySelector('.guide') !== null && box(document.querySelector('h1')).top > box(header).bottom + 40,
    open: document.querySelectorAll('.guide > :is(nav, aside) > details[open]:not(.requests)').length,
  };
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

  test.each(paths)('%s: header, edges and codes at each size, in both languages', async (path) => {
    const { page, overflow } = await site.open('/nothing');
    for (const [, lang] of languages) {
      await page.goto(`${site.app.url}${path}?lang=${lang}`);
      for (const viewport of windows) {
        await page.setViewportSize(viewport);
        const measured = async () => ({ viewport, ...(await page.evaluate<object>(measure)), ...(await overflow()) });
        await expect.poll(measured).toMatchObject({
          viewport,
          rows: 1,
          cut: [],
          underline: '2px',
          strip: 0,
          edges: [0, 0],
          words: [],
          loose: [],
          // A guide begins with its title.
          isLate: false,
          open: path.startsWith('/guides/') && viewport.width >= 1024 ? 2 : 0,
          across: 0,
        });
      }
    }
  });

  test('the skip link moves nothing, and lets a click through', async () => {
    const { page } = await site.open('/');
    const [link, before] = [page.locator('.skip'), await boxOf(page, 'header')];
    await page.keyboard.press('Tab');
    expect(await boxOf(page, 'header')).toEqual(before);
    const { x, y, height } = await boxOf(page, '.skip');
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

  test('after a rejected creation, its update stays as it is and is not sent', async () => {
    const { page } = await site.open('/?example=tag');
    const update = page.locator('.requests').last();
    const shown = await update.innerText();
    expect(shown).toContain('"id": TAG_ID');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.response').first().getByText('401 Failed').waitFor();
    await page.locator('.response').last().getByText('Not sent, because no earlier response has TAG_ID.').waitFor();
    expect(await update.innerText()).toBe(shown);
  });

  test('descriptions of errors are whole, and on the baseline of their code', async () => {
    const { page } = await site.open('/guides/errors');
    const found = await page.evaluate(`[...document.querySelectorAll('.error summary')].flatMap((summary) => {
      const parts = [...summary.children];
      const lines = parts.map((part) => {
        const mark = document.createElement('span');
        mark.style.display = 'inline-block';
        part.prepend(mark);
        const { bottom } = mark.getBoundingClientRect();
        mark.remove();
        return Math.round(bottom);
      });
      const when = summary.querySelector('.when');
      const isCut = when.scrollWidth > when.clientWidth || getComputedStyle(when).textOverflow === 'ellipsis';
      return new Set(lines).size > 1 || isCut ? [summary.textContent + lines] : [];
    })`);
    expect(found).toEqual([]);
  });

  test('Arabic in JSON keeps its place and its full stop', async () => {
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

  test('a response is as high as its request', async () => {
    const { page } = await site.open('/?example=tag');
    for (const index of [0, 1]) {
      const [request, response, shown] = await Promise.all(
        ['.requests', '.response', '.response pre'].map((part) => page.locator(part).nth(index).boundingBox()),
      );
      expect(response).toMatchObject({ y: request?.y, height: request?.height });
      expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeGreaterThan((request?.y ?? 0) + (request?.height ?? 0) - 3);
    }
  });
});
