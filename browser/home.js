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
  for (const control of main.querySelectorAll('[hidden]')) {
    // Browsers copy only on pages that came over HTTPS or from this machine.
    control.toggleAttribute('hidden', control.matches('figure *') && !isSecureContext);
  }
  const input = main.querySelector('input');
  if (input !== null) input.value = token;
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const code = target.closest('button')?.closest('figure')?.querySelector('pre')?.textContent;
  if (code) void navigator.clipboard.writeText(code).then(() => target.replaceChildren(target.dataset.copied ?? ''));
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
  const group = document.activeElement?.closest('.choice')?.ariaLabel;
  for (const part of ['.playground', '.language']) {
    document.querySelector(part)?.replaceWith(/** @type {Element} */ (page.querySelector(part)));
  }
  prepare();
  /** @type {HTMLElement | null} */
  const current = main.querySelector(`[aria-label="${group}"] [aria-current]`);
  current?.focus();
}

/** Sends the shown requests one after the other, and shows their responses. @param {SubmitEvent} event */
async function onSubmit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  const { steps, text, token: demoToken, language } = readSettings();
  button.disabled = true;
  token = main.querySelector('input')?.value.trim() ?? token;
  /** @type {NodeListOf<HTMLElement>} */
  const figures = main.querySelectorAll('.response figure');
  for (const figure of figures) figure.hidden = true;
  /** @type {string | undefined} */
  let id = '';
  for (const [index, figure] of figures.entries()) {
    if (id === undefined) break;
    const start = performance.now();
    const sent = send(steps[index], id, language, demoToken ?? token);
    const { status, shown } = await sent.catch(() => ({ status: '', shown: text.failed }));
    const parts = { b: status, small: `${text.live} · ${Math.round(performance.now() - start)} ms`, code: shown };
    for (const [name, content] of Object.entries(parts)) figure.querySelector(name)?.replaceChildren(content);
    figure.hidden = false;
    id = /"id": (\d+)/.exec(shown)?.[1];
  }
  button.disabled = false;
}

/** @param {object} step @param {string} id @param {string} language @param {string} bearer */
async function send(step, id, language, bearer) {
  const { method, path, body, hasKey } = JSON.parse(JSON.stringify(step).replace(/"\{id\}"|\{id\}/, id));
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      'Accept-Language': language,
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      // Browsers have UUIDs only on pages that came over HTTPS or from this machine.
      ...(hasKey && { 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = JSON.stringify(await response.json(), null, 2);
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}\n`);
  return { status: String(response.status), shown: `${lines.join('')}\n${json}` };
}
