import { prepareControls, readSettings, readToken } from './page.js';
import { highlight, run } from './run.js';

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
let shownChoice = location.search;
prepare();
main.addEventListener('click', onClick);
main.addEventListener('submit', onSubmit);
addEventListener('input', prepare);
addEventListener('popstate', () => {
  // A link to a heading changes the fragment alone.
  if (location.search !== shownChoice) void show(location.href);
});

/** Fills the browser's origin and the reader's token into commands, and highlights code. */
function prepare() {
  const { origin, token } = readSettings();
  /** @type {NodeListOf<HTMLElement>} */
  const blocks = main.querySelectorAll('pre code:not(.live)');
  for (const code of blocks) {
    code.dataset.source ??= (code.textContent ?? '').replaceAll(origin, location.origin);
    const filled = code.dataset.source.replace(
      /(?<=Bearer )(\$\{TOKEN\}|pp_YOUR_TOKEN)/,
      // A shell reads the demo partner's token from its file.
      (name) => readToken() || (name.startsWith('pp_') && token) || name,
    );
    const [language = ''] = code.className.match(/(?<=language-)\w+/) ?? [];
    void highlight(code, filled, language);
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  /** @type {HTMLAnchorElement | null} */
  const link = target.closest('.playground a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  void show(link.href);
}

/** Loads the content of another choice into the page. */
async function show(/** @type {string} */ url) {
  shownChoice = location.search;
  const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok) return location.assign(url);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const group = document.activeElement?.closest('.choice')?.ariaLabel;
  for (const part of ['.playground', '.language']) {
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (page.querySelector(part)));
  }
  prepareControls();
  prepare();
  /** @type {HTMLElement | null} */
  const current = main.querySelector(`[aria-label="${group}"] [aria-current]`);
  current?.focus();
}

/** Sends the shown requests in order, and shows their responses. @param {SubmitEvent} event */
async function onSubmit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const { steps, ...settings } = readSettings();
  button.disabled = true;
  /** @type {NodeListOf<HTMLElement>} */
  const figures = main.querySelectorAll('.response');
  for (const figure of figures) figure.classList.add('pending');
  const requests = main.querySelectorAll('.requests');
  /** @type {string | undefined} */
  let id = '';
  for (const [index, figure] of figures.entries()) {
    /** @type {string} */
    const shown = id === undefined ? '' : await run(figure, steps[index], { ...settings, id });
    figure.classList.remove('pending');
    id = /"id": (\d+)/.exec(shown)?.[1];
    for (const next of requests[index + 1]?.querySelectorAll('code') ?? [])
      next.dataset.source = next.dataset.source?.replace(/(product_tags\/|\bid\W+)\d+/, id ? `$1${id}` : '$&');
  }
  prepare();
  button.disabled = false;
}
