export const readSettings = () => JSON.parse(document.getElementById('settings')?.textContent ?? '{}');

/** Stored in this browser tab until it closes. */
export const readToken = () => sessionStorage.getItem('token') ?? '';

/** Shows controls that need scripts, and fills the token fields. */
export function prepareControls() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[name=token]'));
  for (const field of fields) field.value = readToken();
  for (const control of document.querySelectorAll('main [hidden]:not([data-as])')) {
    control.removeAttribute('hidden');
  }
}
prepareControls();

addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'token') {
    sessionStorage.setItem('token', target.value.trim());
  }
});

addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.matches('.skip')) document.querySelector('main')?.focus();
  const button = target.closest('.copy:not(.run)');
  const figure = button?.closest('figure');
  const code = figure?.querySelector('pre:not([hidden]) code')?.textContent;
  if (!(button instanceof HTMLElement) || !code) return;
  void copy(figure.matches('.response') ? extractJson(code) : code, button);
});

/** Leaves out headers and the ellipses of omitted entries. */
const extractJson = (/** @type {string} */ shown) =>
  shown.slice(shown.indexOf('{')).replace(/,\s*…(?: \+\d+)?(?=\s*\])/g, '');

/** For screen readers. */
export const announce = (/** @type {string} */ text) => document.getElementById('announcement')?.replaceChildren(text);

/** @param {string} text @param {HTMLElement} button */
export async function copy(text, button) {
  await writeClipboard(text);
  const { copied = '', label = button.textContent ?? '' } = button.dataset;
  button.dataset.label = label;
  button.replaceChildren(copied);
  announce(copied);
  setTimeout(() => {
    button.replaceChildren(label);
    announce('');
  }, 4_000);
}

/** Browsers offer the clipboard only on pages over HTTPS or from this machine. */
async function writeClipboard(/** @type {string} */ text) {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'hidden';
  field.value = text;
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey } = event;
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector('input[type=search]'));
  const [target] = event.composedPath();
  const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
  if (field === null || !((key === '/' && !isTyping) || (key === 'k' && (ctrlKey || metaKey)))) return;
  event.preventDefault();
  field.focus();
});

const status = /** @type {HTMLElement | null} */ (document.querySelector('[data-ready]'));
if (status !== null) {
  const update = async () => {
    const { ok } = await fetch('/readyz').catch(() => ({ ok: false }));
    status.className = ok ? 'ready' : '';
    status.textContent = (ok ? status.dataset.ready : status.dataset.unavailable) ?? '';
  };
  void update();
  setInterval(update, 10_000);
}
