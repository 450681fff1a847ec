import { readSettings } from './page.js';

/** Kept in memory only. */
let token = '';
const shownHeaders = ['Content-Language', 'ETag', 'Location', 'RateLimit', 'Retry-After'];

prepare();
document.querySelector('main')?.addEventListener('click', onClick);
document.querySelector('main')?.addEventListener('submit', onSubmit);
addEventListener('popstate', () => show(location.href));

/** Shows origins as the browser knows them, and the controls that need a script. */
function prepare() {
  const { origin } = readSettings();
  for (const code of document.querySelectorAll('pre code')) {
    code.textContent = (code.textContent ?? '').replaceAll(origin, location.origin);
  }
  for (const button of document.querySelectorAll('figure button')) {
    /** @type {HTMLElement} */ (button).hidden = navigator.clipboard === undefined;
  }
  const form = document.querySelector('form');
  if (form !== null) form.hidden = false;
  const input = document.querySelector('input');
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
  token = document.querySelector('input')?.value ?? token;
  const groups = () => [...document.querySelectorAll('.choice')];
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
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { steps, language, token: demoToken, text } = readSettings();
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  token = form.querySelector('input')?.value.trim() ?? token;
  const label = button.textContent;
  button.disabled = true;
  button.textContent = text.running;
  const shown = [];
  let id = '';
  for (const step of steps) {
    const { method, path, headers, body } = JSON.parse(JSON.stringify(step).replace(/"\{id\}"|\{id\}/, id));
    const bearer = demoToken ?? token;
    const start = performance.now();
    try {
      const response = await fetch(path, {
        method,
        headers: {
          Accept: 'application/json',
          'Accept-Language': language,
          ...(bearer && { Authorization: `Bearer ${bearer}` }),
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const value = await response.json();
      shown.push(...describe(response, value, Math.round(performance.now() - start), text));
      id = String(value.id ?? value.data?.createProductTag?.productTag?.id ?? '');
      if (id === '') break;
    } catch {
      shown.push(`${text.failed}`);
      break;
    }
  }
  document.querySelector('.response')?.replaceChildren(...shown);
  button.disabled = false;
  button.textContent = label;
  prepare();
}

/**
 * A response as the service shows recorded ones.
 * @param {Response} response
 * @param {unknown} value
 * @param {number} duration
 * @param {Record<string, string>} text
 */
function describe(response, value, duration, text) {
  const status = element('b', { className: response.ok ? 'ok' : 'error' }, String(response.status));
  const note = element('small', {}, `${text.live} · ${duration} ms`);
  const button = element('button', { type: 'button' }, text.copy ?? '');
  button.dataset.copied = text.copied;
  const code = element('code', {}, JSON.stringify(value, null, 2));
  const headers = shownHeaders.flatMap((name) => {
    const header = response.headers.get(name);
    return header === null ? [] : [element('div', {}, element('dt', {}, name), element('dd', {}, header))];
  });
  return [
    element(
      'figure',
      {},
      element('figcaption', {}, element('span', {}, `${text.response} `, status, ' ', note), button),
      element('pre', { dir: 'ltr', tabIndex: 0 }, code),
    ),
    element('dl', { dir: 'ltr' }, ...headers),
  ];
}

/** @type {(name: string, properties: object, ...children: (Node | string)[]) => HTMLElement} */
function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
