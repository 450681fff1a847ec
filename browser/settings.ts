/** What the service has put into the page for its script. */
export function readSettings<Settings>(): Settings {
  return JSON.parse(document.getElementById('settings')?.textContent ?? '');
}
