import { readSettings, readToken } from './page.js';
import { run } from './run.js';

const { origin, token, text } = readSettings();
const article = /** @type {HTMLElement} */ (document.querySelector('article'));
const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { currentNode: node } = texts;
  // A proxy may have changed the scheme.
  if (node.nodeValue?.includes(origin)) node.nodeValue = node.nodeValue.replaceAll(origin, location.origin);
}

const tokens = [...article.querySelectorAll('.your-token')];
const unfilled = tokens[0]?.textContent ?? '';
const fillTokens = () => {
  for (const each of tokens) each.textContent = readToken() || token || unfilled;
};
addEventListener('input', fillTokens);
fillTokens();

/** Shows all requests in one language, which the browser remembers. */
const showAs = (/** @type {string} */ format) => {
  for (const select of article.querySelectorAll('select')) select.value = format;
  for (const block of article.querySelectorAll('pre[data-as]'))
    block.toggleAttribute('hidden', block.getAttribute('data-as') !== format);
};
const format = localStorage.getItem('requests');
if (format !== null && article.querySelector(`[data-as="${CSS.escape(format)}"]`)) showAs(format);
article.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  const { top } = target.getBoundingClientRect();
  showAs(target.value);
  localStorage.setItem('requests', target.value);
  // The chosen block stays in place, whatever the height of those above it.
  scrollBy(0, target.getBoundingClientRect().top - top);
});

article.addEventListener('click', async ({ target }) => {
  if (!(target instanceof HTMLButtonElement) || !target.matches('.run')) return;
  const figure = /** @type {HTMLElement} */ (target.closest('figure'));
  const { language, ...step } = JSON.parse(target.dataset.step ?? '');
  const response = document.createElement('figure');
  response.className = 'response';
  response.innerHTML =
    '<figcaption role="status"><b></b> <small></small></figcaption><pre tabindex="0"><code></code></pre>';
  await run(response, step, { language, text, token });
  if (figure.nextElementSibling?.matches('.response')) figure.nextElementSibling.remove();
  figure.after(response);
});

// The menus are open beside the guide, and closed above it.
const wide = matchMedia('(min-width: 64rem)');
const openMenus = () => {
  for (const menu of document.querySelectorAll('.guide :is(nav, aside) details'))
    menu.toggleAttribute('open', wide.matches);
};
wide.addEventListener('change', openMenus);
openMenus();

/** Opens the row that the URL's anchor names. */
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener('hashchange', openTarget);
openTarget();
