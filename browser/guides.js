import { announce, readSettings, readToken } from './page.js';
import { fillIds, findIds, run } from './run.js';

const { origin, token, text } = readSettings();
const article = /** @type {HTMLElement} */ (document.querySelector('article'));
const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { currentNode: node } = texts;
  // Behind a proxy, the server may not know the scheme.
  if (node.nodeValue?.includes(origin)) node.nodeValue = node.nodeValue.replaceAll(origin, location.origin);
}

const idFields = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll('input.id')]);
const readIds = () =>
  Object.fromEntries(idFields.flatMap(({ name, value }) => (/^ *\d+ *$/.test(value) ? [[name, value.trim()]] : [])));

const explorerLinks = /** @type {NodeListOf<HTMLAnchorElement>} */ (article.querySelectorAll('.open'));

const fillPlaceholders = () => {
  const values = /** @type {Record<string, string>} */ ({ pp_YOUR_TOKEN: readToken() || token, ...readIds() });
  const marks = /** @type {NodeListOf<HTMLElement>} */ (article.querySelectorAll('.mark'));
  for (const { dataset, firstElementChild } of marks) {
    const { mark = '' } = dataset;
    firstElementChild?.replaceChildren(values[mark] || mark);
  }
  // Variables must be valid JSON, and no tag has the id 0.
  for (const link of explorerLinks) {
    link.dataset.hash ??= link.hash.slice(1);
    const ids = { TAG_ID: '0', ITEM_ID: '0', ITEM_ID_2: '0', ...readIds() };
    const operation = [...new URLSearchParams(link.dataset.hash)].map(([name, text]) => [name, fillIds(text, ids)]);
    link.hash = `${new URLSearchParams(operation)}`;
  }
};
addEventListener('input', fillPlaceholders);
fillPlaceholders();

const choice = /** @type {HTMLSelectElement | null} */ (document.getElementById('format'));
const showAs = (/** @type {string} */ format) => {
  for (const figure of article.querySelectorAll('.request')) {
    const written = figure.querySelector(`[data-as=${format}]`) ?? figure.querySelector('[data-as]');
    for (const block of figure.querySelectorAll('[data-as]'))
      block.toggleAttribute('hidden', block.getAttribute('data-as') !== written?.getAttribute('data-as'));
  }
};
if (choice !== null) {
  choice.value = localStorage.getItem('requests') ?? choice.value;
  if (choice.selectedIndex === -1) choice.selectedIndex = 0;
  showAs(choice.value);
  choice.addEventListener('change', () => {
    localStorage.setItem('requests', choice.value);
    // Keeps the reader's place when blocks above it change their height.
    const firstVisible = [...article.children].find((child) => child.getBoundingClientRect().bottom > 0);
    const { top = 0 } = firstVisible?.getBoundingClientRect() ?? {};
    showAs(choice.value);
    scrollBy(0, (firstVisible?.getBoundingClientRect().top ?? 0) - top);
  });
}

article.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || !target.matches('.run')) return;
  const figure = /** @type {HTMLElement} */ (target.closest('figure'));
  const { language, ...step } = JSON.parse(target.dataset.step ?? '');
  const shown = figure.nextElementSibling;
  const response = shown?.matches('.response') ? shown : document.createElement('figure');
  if (response !== shown) {
    response.className = 'response';
    response.innerHTML =
      '<figcaption><span>Response <b></b> <small></small></span></figcaption><pre tabindex="0"><code></code></pre>';
    const copy = /** @type {HTMLElement} */ (figure.querySelector('.copy:not(.run)')?.cloneNode());
    copy.replaceChildren('Copy');
    response.firstElementChild?.append(copy);
  }
  announce('');
  const { outcome, json } = await run(response, step, { ids: readIds(), language, text, token });
  figure.after(response);
  announce(outcome);
  const found = findIds(json);
  for (const field of idFields) field.value = found[field.name] ?? field.value;
  fillPlaceholders();
});

// The menus are open beside the guide, and closed above it.
const wide = matchMedia('(min-width: 64rem)');
const openMenus = () => {
  for (const menu of document.querySelectorAll('.guide :is(nav, aside) details'))
    menu.toggleAttribute('open', wide.matches);
};
wide.addEventListener('change', openMenus);
openMenus();

/** @param {Element | null | undefined} link */
const scrollMenuTo = (link) => {
  const menu = link?.closest('nav, aside');
  if (!link || !menu) return;
  const { top, bottom } = link.getBoundingClientRect();
  const box = menu.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) menu.scrollBy(0, top - box.top - box.height / 2);
};
scrollMenuTo(document.querySelector('.guide nav [aria-current]'));

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  else if (target instanceof HTMLAnchorElement) location.replace(target.href);
};
addEventListener('hashchange', openTarget);
openTarget();

const contents = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('aside a[href^="#"]')]);
const markSection = () => {
  const { scrollHeight } = document.documentElement;
  const isAbove = (/** @type {HTMLAnchorElement} */ { hash }) =>
    (document.getElementById(hash.slice(1))?.getBoundingClientRect().top ?? 0) < innerHeight / 3;
  const isAtEnd = scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2;
  const current = (isAtEnd ? contents : contents.filter(isAbove)).at(-1);
  for (const link of contents) link.ariaCurrent = link === current ? 'location' : null;
  scrollMenuTo(current);
};
addEventListener('scroll', markSection, { passive: true });
markSection();
