import { readSettings } from './page.js';

const { introspection, tabs } = readSettings();
const endpointURL = new URL('/graphql', location.href).href;
// The colours of page.css, which follow the browser's colour scheme.
const colours = {
  'color.primary': 'var(--accent)',
  'color.bg': 'var(--ground)',
  'color.offBg': 'var(--surface)',
  'color.font': 'var(--text)',
  'color.offFont': 'var(--muted)',
  'color.border': 'var(--line)',
  'color.offBorder': 'var(--line)',
  'color.headerBg': 'var(--surface)',
};

/** @type {any} */ (window).AltairGraphQL.init({
  endpointURL,
  // Tokens must not be stored.
  preserveState: false,
  disableAccount: true,
  initialWindows: tabs.map((/** @type {object} */ tab) => ({ ...tab, endpointURL })),
  initialSettings: {
    theme: 'light',
    'theme.dark': 'dark',
    // Of the root element; Altair's own sizes do not depend on it.
    'theme.fontsize': 16,
    themeConfig: colours,
    'themeConfig.dark': colours,
    'schema.reloadOnStart': introspection,
    'alert.disableWarnings': true,
    'alert.disableUpdateNotification': true,
    'banners.disable': true,
    disablePushNotification: true,
    enableTablistScrollbar: true,
  },
});

/** Altair opens the last tab. Opens the first, and runs it. */
const started = setInterval(() => {
  /** @type {NodeListOf<HTMLElement>} */
  const items = document.querySelectorAll('app-window-switcher-item .window-switcher__item');
  const [first] = items;
  if (first === undefined || items.length < tabs.length) return;
  clearInterval(started);
  // Altair's tabs are reached by the pointer alone.
  for (const item of items) {
    item.tabIndex = 0;
    item.setAttribute('role', 'button');
    item.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter' || key === ' ') item.click();
    });
  }
  first.click();
  requestAnimationFrame(() => {
    /** @type {HTMLElement | null} */ (document.querySelector('.send-request__button'))?.click();
  });
}, 50);
