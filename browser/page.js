/** The data that the service put into the page for its scripts. */
export const readSettings = () => JSON.parse(document.getElementById('settings')?.textContent ?? '{}');

/** The caller's token: kept in this browser tab until it closes, and sent to this service alone. */
export const readToken = () => sessionStorage.getItem('token') ?? '';

/** Fills the fields for the token. */
export function fillTokenFields() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('input[name=token]');
  for (const field of fields) field.value = readToken();
}
fillTokenFields();
addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'token') return;
  sessionStorage.setItem('token', target.value.trim());
});

// The footer shows the database status, and follows it.
/** @type {HTMLElement | null} */
const status = document.querySelector('[data-ready]');
if (status !== null) {
  const update = async () => {
    const { ok } = await fetch('/readyz').catch(() => ({ ok: false }));
    status.className = ok ? 'ready' : '';
    status.textContent = (ok ? status.dataset.ready : status.dataset.away) ?? '';
  };
  void update();
  setInterval(update, 10_000);
}
