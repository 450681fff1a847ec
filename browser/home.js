import { announce, prepareControls, readSettings, readToken } from './page.js';
import { fillIds, findIds, highlight, highlightRequest, run } from './run.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
/** Ids of the responses of the last run. @type {import('./run.js').Ids} */
let ids = {};
let shownChoice = location.search;
// Ignores late responses for earlier choices.
let latestChoice = '';
prepare();
main.addEventListener('click', onClick);
main.addEventListener('submit', onSubmit);
addEventListener('input', prepare);
addEventListener('popstate', () => {
  // A link to a heading changes the fragment alone.
  if (location.search !== shownChoice) void show(location.href);
});

function prepare() {
  const { origin, token } = readSettings();
  const placeholder = 'pp_YOUR_TOKEN';
  const blocks = /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll('pre code:not(.live)'));
  for (const code of blocks) {
    code.dataset.source ??= (code.textContent ?? '')
      .replaceAll(origin, location.origin)
      .replaceAll(token ?? placeholder, placeholder);
    const filled = code.dataset.source.replaceAll(placeholder, () => readToken() || token || placeholder);
    const [language = ''] = code.className.match(/(?<=language-)\w+/) ?? [];
    if (code.closest('.requests')) void highlightRequest(code, fillIds(filled, ids), language);
    else void highlight(code, filled, language);
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest('.playground a'));
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void show(link.href, true);
}

async function show(/** @type {string} */ url, isNew = false) {
  latestChoice = url;
  const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => undefined);
  const html = response?.ok ? await response.text().catch(() => undefined) : undefined;
  if (url !== latestChoice) return;
  const failure = /** @type {HTMLElement} */ (main.querySelector('#failure'));
  const message = html === undefined ? readSettings().text.failed : '';
  failure.className = message && 'rejected';
  failure.replaceChildren(message);
  announce(message);
  if (html === undefined) return;
  if (isNew) history.pushState(null, '', url);
  shownChoice = location.search;
  const page = new DOMParser().parseFromString(html, 'text/html');
  const focused = document.activeElement?.closest('.playground');
  const choice = document.activeElement?.closest('.choice')?.id ?? 'choose-api';
  for (const part of ['.playground', '.language']) {
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (page.querySelector(part)));
  }
  ids = {};
  prepareControls();
  prepare();
  const current = /** @type {HTMLElement | null} */ (main.querySelector(`#${choice} [aria-current]`));
  if (focused) current?.focus();
}

/** @param {SubmitEvent} event */
async function onSubmit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  // A disabled button would lose the focus.
  if (button.ariaDisabled) return;
  button.ariaDisabled = 'true';
  announce('');
  const { steps, ...settings } = readSettings();
  const figures = /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll('.response'));
  for (const figure of figures) figure.classList.add('pending');
  const outcomes = [];
  ids = {};
  for (const [index, figure] of figures.entries()) {
    const { outcome, json } = await run(figure, steps[index], { ...settings, ids });
    figure.classList.remove('pending');
    outcomes.push(outcome);
    ids = { ...ids, ...findIds(json) };
  }
  prepare();
  announce(outcomes.join('. '));
  button.ariaDisabled = null;
}
