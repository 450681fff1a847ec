import { readSettings } from './page.js';

/** Kept in memory only. */
let token = '';
const shownHeaders = ['Content-Language', 'ETag', 'Location', 'RateLimit', 'Retry-After'];

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
prepare();
main.addEventListener('click', onClick);
main.addEventListener('submit', onSubmit);
addEventListener('popstate', () => show(location.href));

/** Shows origins as the browser knows them, and the controls that need a script. */
function prepare() {
  const { origin } = readSettings();
  for (const code of main.querySelectorAll('pre code')) {
    code.textContent = (code.textContent ?? '').replaceAll(origin, location.origin);
  }
  for (const button of main.querySelectorAll('figure button')) {
    /** @type {HTMLElement} */ (button).hidden = navigator.clipboard === undefined;
  }
  main.querySelector('form')?.removeAttribute('hidden');
  const input = main.querySelector('input');
  if (input !== null) input.value = token;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  /** @type {HTMLButtonElement | null} */
  const button = target.closest('figure button');
  if (button !== null) void copy(button);
  /** @type {HTMLAnchorElement | null} */
  const link = target.closest('.choice a');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  void show(link.href);
}

/** Replaces the content of the page by that of another choice, so that the token stays in memory. */
async function show(/** @type {string} */ url) {
  const response = await fetch(url, { headers: { Accept: 'text/html' } }).catch(() => undefined);
  if (!response?.ok) return location.assign(url);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  token = main.querySelector('input')?.value ?? token;
  const groups = () => [...main.querySelectorAll('.choice')];
  const index = groups().findIndex((group) => group.contains(document.activeElement));
  for (const part of ['.playground', '.language']) {
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (page.querySelector(part)));
  }
  prepare();
  /** @type {HTMLElement | null | undefined} */
  const current = groups()[index]?.querySelector('[aria-current]');
  current?.focus();
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const label = button.textContent;
  await navigator.clipboard.writeText(button.closest('figure')?.querySelector('pre')?.textContent ?? '');
  button.textContent = button.dataset.copied ?? label;
  setTimeout(() => {
    button.textContent = label;
  }, 2_000);
}

/** Sends the shown requests one after the other, and shows their responses. @param {SubmitEvent} event */
async function onSubmit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const { steps, text, ...options } = readSettings();
  const label = button.textContent;
  button.disabled = true;
  button.textContent = text.running;
  token = main.querySelector('input')?.value.trim() ?? token;
  /** @type {NodeListOf<HTMLElement>} */
  const figures = main.querySelectorAll('.response figure');
  for (const figure of figures) figure.hidden = true;
  let id = '';
  for (const [index, step] of steps.entries()) {
    const start = performance.now();
    const sent = await send(step, id, options).catch(() => undefined);
    const { status, shown, value } = sent ?? { status: '', shown: text.failed };
    const parts = { b: status, small: `${text.live} · ${Math.round(performance.now() - start)} ms`, code: shown };
    const figure = /** @type {HTMLElement} */ (figures[index]);
    for (const [name, content] of Object.entries(parts)) {
      /** @type {Element} */ (figure.querySelector(name)).textContent = content;
    }
    figure.hidden = false;
    id = String(value?.id ?? value?.data?.createProductTag?.productTag?.id ?? '');
    if (id === '') break;
  }
  button.disabled = false;
  button.textContent = label;
}

/** @param {object} step @param {string} id @param {{ language: string, token?: string }} options */
async function send(step, id, { language, token: demoToken }) {
  const { method, path, body, hasKey } = JSON.parse(JSON.stringify(step).replace(/"\{id\}"|\{id\}/, id));
  const bearer = demoToken ?? token;
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      'Accept-Language': language,
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(hasKey && { 'Idempotency-Key': newKey() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const value = await response.json();
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}\n`);
  return { status: String(response.status), shown: `${lines.join('')}\n${JSON.stringify(value, null, 2)}`, value };
}

/** Browsers have UUIDs only on pages that came over HTTPS or from this machine. */
function newKey() {
  return crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
}
