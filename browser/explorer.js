import { readSettings } from './page.js';

const { introspection, tabs } = readSettings();
const endpointURL = new URL('/graphql', location.href).href;

/** @type {any} */ (window).AltairGraphQL.init({
  endpointURL,
  // Tokens must not be stored.
  preserveState: false,
  disableAccount: true,
  initialWindows: tabs.map((/** @type {object} */ tab) => ({ ...tab, endpointURL })),
  initialSettings: {
    theme: 'light',
    'theme.dark': 'dark',
    'schema.reloadOnStart': introspection,
    'alert.disableWarnings': true,
    'alert.disableUpdateNotification': true,
    'banners.disable': true,
    disablePushNotification: true,
    enableTablistScrollbar: true,
  },
});

// Altair opens the last tab, and its tabs have no keyboard access.
const [firstLine = ''] = tabs[0].initialQuery.split('\n');
const starting = setInterval(() => {
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('app-window-switcher-item .window-switcher__item');
  const [first] = items;
  if (first === undefined || items.length < tabs.length) return;
  if (first.tabIndex !== 0) items.forEach(addKeyboard);
  // Sends only what the first tab shows: another tab may write.
  const shown = document.querySelector('app-query-editor .cm-content')?.textContent ?? '';
  /** @type {HTMLElement | null} */
  const send = document.querySelector('.send-request__button');
  if (!shown.includes(firstLine) || send === null) return first.click();
  clearInterval(starting);
  send.click();
}, 200);

/** @param {HTMLElement} item */
function addKeyboard(item) {
  item.tabIndex = 0;
  item.setAttribute('role', 'button');
  item.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter' || key === ' ') item.click();
  });
}
