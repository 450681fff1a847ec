/** The data that the service put into the page for its scripts. */
export const readSettings = () => JSON.parse(document.getElementById('settings')?.textContent ?? '{}');

// The footer shows the database status, and follows it.
/** @type {HTMLElement | null} */
const status = document.querySelector('[data-ready]');
if (status !== null) {
  const update = async () => {
    const isReady = await fetch('/readyz').then(
      (response) => response.ok,
      () => false,
    );
    status.className = isReady ? 'ready' : 'away';
    status.textContent = (isReady ? status.dataset.ready : status.dataset.away) ?? '';
  };
  void update();
  setInterval(update, 10_000);
}
