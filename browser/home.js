import { announce, prepareControls, readSettings, readToken } from './page.js';
import { fillIds, highlight, highlightRequest, idsIn, run } from './run.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
/** Ids of the responses of the last run. @type {import('./run.js').Ids} */
let ids = {};
let shownChoice = location.search;
/** The choice that is loading, or was last: a late response of an earlier one changes nothing. */
let latestChoice = '';
prepare();
main.addEventListener('click', onClick);
main.addEventListener('submit', onSubmit);
addEventListener('input', prepare);
addEventListener('popstate', () => {
  // A link to a heading changes the fragment alone.
  if (location.search !== shownChoice) void show(location.href);
});

/** Fills the browser's origin, the reader's token and ids into requests, and highlights code. */
function prepare() {
  const { origin, token } = readSettings();
  const mark = 'pp_YOUR_TOKEN';
  /** @type {NodeListOf<HTMLElement>} */
  const blocks = main.querySelectorAll('pre code:not(.live)');
  for (const code of blocks) {
    code.dataset.source ??= (code.textContent ?? '')
      .replaceAll(origin, location.origin)
      .replaceAll(token ?? mark, mark);
    const filled = code.dataset.source.replaceAll(mark, () => readToken() || token || mark);
    const [language = ''] = code.className.match(/(?<=language-)\w+/) ?? [];
    if (code.closest('.requests')) void highlightRequest(code, fillIds(filled, ids), language);
    else void highlight(code, filled, language);
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  /** @type {HTMLAnchorElement | null} */
  const link = target.closest('.playground a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void show(link.href, true);
}

/** Loads the content of another choice into the page. The focus stays at the choice. */
async function show(/** @type {string} */ url, isNew = false) {
  latestChoice = url;
  const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => undefined);
  const html = response?.ok ? await response.text().catch(() => undefined) : undefined;
  if (url !== latestChoice) return;
  const failure = /** @type {HTMLElement} */ (main.querySelector('#failure'));
  const said = html === undefined ? readSettings().text.failed : '';
  failure.className = said && 'rejected';
  failure.replaceChildren(said);
  announce(said);
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
  /** @type {HTMLElement | null} */
  const current = main.querySelector(`#${choice} [aria-current]`);
  if (focused) current?.focus();
}

/** Sends the shown requests in order, and shows their responses. @param {SubmitEvent} event */
async function onSubmit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  // A disabled button would lose the focus.
  if (button.ariaDisabled) return;
  button.ariaDisabled = 'true';
  announce('');
  const { steps, ...settings } = readSettings();
  /** @type {NodeListOf<HTMLElement>} */
  const figures = main.querySelectorAll('.response');
  for (const figure of figures) figure.classList.add('pending');
  const outcomes = [];
  ids = {};
  for (const [index, figure] of figures.entries()) {
    const { outcome, json } = await run(figure, steps[index], { ...settings, ids });
    figure.classList.remove('pending');
    outcomes.push(outcome);
    ids = { ...ids, ...idsIn(json) };
  }
  prepare();
  announce(outcomes.join('. '));
  button.ariaDisabled = null;
}
