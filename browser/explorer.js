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
  const items = document.querySelectorAll('.window-switcher__item');
  if (items.length < tabs.length) return;
  for (const item of items) {
    item.tabIndex = 0;
    item.role = 'button';
    item.onkeydown = ({ key }) => ['Enter', ' '].includes(key) && item.click();
  }
  // Sends only what the first tab shows: another tab may write.
  const shown = document.querySelector('app-query-editor .cm-content')?.textContent ?? '';
  /** @type {HTMLElement | null} */
  const send = document.querySelector('.send-request__button');
  if (!shown.includes(firstLine) || send === null) return items[0]?.click();
  clearInterval(starting);
  send.click();
}, 200);
