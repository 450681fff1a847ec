import { readSettings } from './page.js';

const { url, language, isOpen, token } = readSettings();
const spec = await (await fetch(url)).json();

// Swagger UI fills in the first example of a parameter.
const parameter = spec.components.parameters.AcceptLanguage;
const { [language]: preferred, ...others } = parameter.examples;
parameter.examples = { [language]: preferred, ...others };

// No default id: it might belong to one of the reader's own tags.
delete spec.paths['/product_tags/{id}'].put.parameters[0].example;
// A padlock marks routes that need a token.
const routes = Object.values(spec.paths).flatMap((path) => Object.values(path));
for (const route of isOpen ? routes : []) {
  if (route.security?.some((/** @type {{ token?: unknown }} */ scheme) => scheme.token === undefined))
    route.security = [];
}

const docs = /** @type {HTMLElement} */ (document.getElementById('docs'));
/** Names of elements that Swagger UI leaves without one. */
const labels = {
  '#servers': 'Servers',
  '.examples-select-element': 'Example',
  textarea: 'Request body',
  '.responses-table[role=region]': 'Responses',
};

// Swagger UI is made for a page of its own: it has a `main`, and its headings begin at level 3.
new MutationObserver(() => {
  docs.querySelector('main')?.setAttribute('role', 'group');
  for (const heading of docs.querySelectorAll('h3, h4, h5')) heading.ariaLevel = `${Number(heading.tagName[1]) - 1}`;
  // So that the keyboard can scroll long examples and commands.
  for (const example of docs.querySelectorAll('[role=region] pre, pre.curl')) example.setAttribute('tabindex', '0');
  for (const [selector, label] of Object.entries(labels)) {
    for (const element of docs.querySelectorAll(`${selector}:not([aria-label])`)) {
      const operation = element.closest('.opblock')?.querySelector('.opblock-summary-description')?.textContent;
      element.ariaLabel = operation ? `${label}: ${operation}` : label;
    }
  }
}).observe(docs, { childList: true, subtree: true });

const ui = /** @type {any} */ (window).SwaggerUIBundle({
  dom_id: '#docs',
  spec,
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  syntaxHighlight: { theme: 'tomorrow-night' },
  onComplete: () => {
    if (token !== undefined) ui.preauthorizeApiKey('token', token);
  },
});

// Swagger UI switches to dark colours by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
