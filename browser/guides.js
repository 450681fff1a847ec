import { readSettings, readToken } from './page.js';

const { origin } = readSettings();
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
  for (const each of tokens) each.textContent = readToken() || unfilled;
};
addEventListener('input', fillTokens);
fillTokens();

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
