import { readSettings } from './page.js';

/** Kept in memory only. */
let token = '';
const shownHeaders = ['Content-Language', 'ETag', 'Location', 'RateLimit', 'Retry-After'];

prepare();
document.querySelector('main')?.addEventListener('click', onClick);
document.querySelector('main')?.addEventListener('submit', onSubmit);
addEventListener('popstate', () => show(location.href));

/** Makes what the service sent work: origins as the browser knows them, copying, running. */
function prepare() {
  const { origin } = readSettings();
  for (const code of document.querySelectorAll('pre code')) {
    code.textContent = (code.textContent ?? '').replaceAll(origin, location.origin);
  }
  for (const button of document.querySelectorAll('figure button')) {
    /** @type {HTMLElement} */ (button).hidden = navigator.clipboard === undefined;
  }
  for (const form of document.querySelectorAll('form')) {
    form.hidden = false;
    const input = form.querySelector('input');
    if (input !== null) input.value = token;
  }
  highlight();
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const button = target.closest('figure')?.querySelector('button');
  if (button && target === button) void copy(button);
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
  const input = document.querySelector('input');
  if (input !== null) token = input.value;
  const focused = document.activeElement?.closest('.choice');
  const index = [...document.querySelectorAll('.choice')].indexOf(/** @type {Element} */ (focused));
  document.querySelector('.playground')?.replaceWith(/** @type {Element} */ (page.querySelector('.playground')));
  document.querySelector('.language')?.replaceWith(/** @type {Element} */ (page.querySelector('.language')));
  prepare();
  /** @type {HTMLElement | null | undefined} */
  const current = document.querySelectorAll('.choice')[index]?.querySelector('[aria-current]');
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
  const bearer = demoToken ?? token;
  const label = button.textContent;
  button.disabled = true;
  button.textContent = text.running;
  const shown = [];
  let id = '';
  for (const step of steps) {
    const { method, path, headers, body } = JSON.parse(JSON.stringify(step).replace(/"\{id\}"|\{id\}/, id));
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
      const duration = Math.round(performance.now() - start);
      shown.push(describe(response, value, duration, text));
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
 * @param {Response} response
 * @param {unknown} value
 * @param {number} duration
 * @param {Record<string, string>} text
 */
function describe(response, value, duration, text) {
  const part = document.createDocumentFragment();
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  const status = document.createElement('b');
  status.textContent = String(response.status);
  status.className = response.ok ? 'ok' : 'error';
  const note = document.createElement('small');
  note.textContent = `${text.live} · ${duration} ms`;
  const title = document.createElement('span');
  title.append(`${text.response} `, status, ' ', note);
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.textContent = text.copy ?? '';
  copy.dataset.copied = text.copied;
  caption.append(title, copy);
  const pre = document.createElement('pre');
  pre.dir = 'ltr';
  pre.tabIndex = 0;
  pre.append(document.createElement('code'));
  pre.firstElementChild?.append(JSON.stringify(value, null, 2));
  figure.append(caption, pre);
  const list = document.createElement('dl');
  list.dir = 'ltr';
  for (const name of shownHeaders) {
    const header = response.headers.get(name);
    if (header === null) continue;
    const row = list.appendChild(document.createElement('div'));
    row.appendChild(document.createElement('dt')).append(name);
    row.appendChild(document.createElement('dd')).append(header);
  }
  part.append(figure, list);
  return part;
}

/** Colours strings and keywords, without touching the text. */
function highlight() {
  if (!('highlights' in CSS)) return;
  const tokens =
    /(?<key>"[^"\n]*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?<word>\b(?:query|mutation|await|const|true|false|null|curl)\b)/g;
  /** @type {Record<string, Range[]>} */
  const ranges = { key: [], string: [], word: [] };
  for (const code of document.querySelectorAll('pre code')) {
    const [node] = code.childNodes;
    for (const match of (code.textContent ?? '').matchAll(tokens)) {
      const kind = Object.keys(ranges).find((name) => match.groups?.[name] !== undefined);
      if (node === undefined || kind === undefined) continue;
      const range = new Range();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges[kind]?.push(range);
    }
  }
  for (const [kind, found] of Object.entries(ranges)) CSS.highlights.set(kind, new Highlight(...found));
}
