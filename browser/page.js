/** The data that the service put into the page for its scripts. */
export const readSettings = () => JSON.parse(document.getElementById('settings')?.textContent ?? '{}');

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
