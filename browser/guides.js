import { readSettings, readToken } from './page.js';

const { origin } = readSettings();
const article = /** @type {HTMLElement} */ (document.querySelector('article'));
const texts = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const { currentNode: node } = texts;
  // A proxy may change the scheme.
  if (node.nodeValue?.includes(origin)) node.nodeValue = node.nodeValue.replaceAll(origin, location.origin);
}

const tokens = article.querySelectorAll('.your-token');
const fillTokens = () => {
  for (const each of tokens) each.textContent = readToken() || 'pp_YOUR_TOKEN';
};
addEventListener('input', fillTokens);
fillTokens();

/** Opens the row of the anchor, where the browser does not. */
const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest('details');
  if (details && !details.open) {
    details.open = true;
    target?.scrollIntoView();
  }
};
addEventListener('hashchange', openTarget);
openTarget();
