import { readSettings, readToken } from './page.js';
import { highlightRequest } from './run.js';

const { url, language, isOpen, token } = readSettings();
const [spec, { formats, writeRequest }] = await Promise.all([
  fetch(url).then((response) => response.json()),
  import(new URL('./snippets.js', import.meta.url).href),
]);

// Swagger UI fills in the first example of a parameter.
const parameter = spec.components.parameters.AcceptLanguage;
const { [language]: preferred, ...others } = parameter.examples;
parameter.examples = { [language]: preferred, ...others };

const updates = spec.paths['/product_tags/{id}'];
for (const update of Object.values(updates)) {
  // No id by default: it might be that of a tag of the reader. A creation on this page fills it in.
  delete update.parameters[0].example;
  update.description = update.description.replace('/product_tags/3', '/product_tags/{id}');
}
// Names of guides and codes of errors are links.
spec.info.description = spec.info.description.replace(/"(Moving from the old API)"/, '[$1](/guides/rails-clients)');
for (const response of Object.values(spec.components.responses))
  response.description = response.description?.replace(/^`(\w+)`/gm, '[`$1`](/guides/errors#$1)');

/** Whether a route needs a token. @param {any} operation */
const needsToken = ({ security = spec.security }) =>
  security.length > 0 && !(isOpen && security.some((/** @type {object} */ each) => Object.keys(each).length === 0));
for (const path of Object.values(spec.paths)) {
  for (const operation of Object.values(path)) if (!needsToken(operation)) operation.security = [];
}

const docs = /** @type {HTMLElement} */ (document.getElementById('docs'));
/** Names of elements that Swagger UI leaves without one. */
const labels = {
  '.operation-filter-input': 'Search the routes',
  '.examples-select-element': 'Example',
  '.content-type': 'Media type',
  'textarea.body-param__text': 'Request body',
  '.responses-table[role=region]': 'Responses',
};

const finish = () => {
  // Swagger UI is made for a page of its own: it has a `main`, and its headings begin at level 3.
  docs.querySelector('main')?.setAttribute('role', 'group');
  for (const heading of docs.querySelectorAll('h3, h4, h5')) heading.ariaLevel = `${Number(heading.tagName[1]) - 1}`;
  // So that the keyboard can scroll long examples.
  for (const example of docs.querySelectorAll('[role=region] pre')) example.setAttribute('tabindex', '0');
  for (const [selector, label] of Object.entries(labels)) {
    for (const element of docs.querySelectorAll(`${selector}:not([aria-label])`)) {
      const operation = element.closest('.opblock')?.querySelector('.opblock-summary-description')?.textContent;
      element.ariaLabel = operation ? `${label}: ${operation}` : label;
    }
  }
  for (const row of docs.querySelectorAll('tr[data-param-name], .body-param-content tr')) {
    const name = row.getAttribute('data-param-name') ?? row.querySelector('.parameter__name')?.firstChild?.textContent;
    for (const field of row.querySelectorAll('input:not([aria-label]), select:not([aria-label])'))
      field.ariaLabel = field.matches('select') ? `Example of ${name}` : `${name}`;
  }
  docs.querySelector('.operation-filter-input')?.setAttribute('placeholder', 'Search the routes');
  showMissing();
};
new MutationObserver(finish).observe(docs, { childList: true, subtree: true, attributeFilter: ['class'] });

/** The operation whose first invalid field gets the focus. @type {Element | null} */
let executed = null;
docs.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.matches('.execute')) executed = target.closest('.opblock');
});

/** Says at a field what it lacks. */
function showMissing() {
  for (const message of docs.querySelectorAll('.missing'))
    if (!message.previousElementSibling?.matches('.invalid')) message.remove();
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = docs.querySelectorAll('input.invalid, textarea.invalid');
  for (const field of docs.querySelectorAll('[aria-invalid]:not(.invalid)')) field.removeAttribute('aria-invalid');
  for (const field of fields) {
    if (field.nextElementSibling?.matches('.missing')) continue;
    const message = document.createElement('p');
    message.className = 'missing rejected';
    message.id = `missing-${crypto.getRandomValues(new Uint32Array(1))}`;
    message.textContent = field.title || 'Enter a value.';
    field.after(message);
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', message.id);
  }
  const first = [...fields].find((field) => executed?.contains(field));
  if (first === undefined) return;
  executed = null;
  first.focus();
}

const plugin = (/** @type {any} */ { React }) => ({
  fn: {
    // Keeps the routes that contain all words.
    opsFilter: (/** @type {any} */ tags, /** @type {string} */ phrase) => {
      const words = phrase.toLowerCase().split(/\s+/);
      const hasAll = (/** @type {any} */ route) => {
        const { method, path, operation } = route.toJS();
        const text = `${method} ${path} ${operation.summary} ${operation.description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((/** @type {any} */ tag) => tag.update('operations', (/** @type {any} */ routes) => routes.filter(hasAll)))
        .filter((/** @type {any} */ tag) => tag.get('operations').size > 0);
    },
  },
  components: {
    // A link inside of the button that opens a route would be a second stop for the keyboard.
    DeepLink: (/** @type {{ text: string }} */ { text }) => React.createElement('span', null, text),
    CopyToClipboardBtn: () => null,
    authorizeBtn: () => null,
    authorizeOperationBtn: () => React.createElement('span', { className: 'needs-token' }, 'needs a token'),
  },
  wrapComponents: {
    // The routes first, the notes after them.
    InfoContainer: () => () => null,
    operations:
      (/** @type {any} */ Operations, /** @type {any} */ { getComponent }) =>
      (/** @type {any} */ props) => [
        React.createElement(Operations, { ...props, key: 'operations' }),
        React.createElement(getComponent('Markdown', true), { key: 'notes', source: spec.info.description }),
      ],
    curl: (/** @type {any} */ Original) => (/** @type {any} */ props) => {
      const { url: address, method, headers, body } = props.request.toJS();
      const stored = localStorage.getItem('requests') ?? 'curl';
      const [format, setFormat] = React.useState(stored in formats ? stored : 'curl');
      const { 'Content-Type': type = 'application/json', ...more } = headers;
      if (type !== 'application/json') return React.createElement(Original, props);
      const { origin, pathname, search } = new URL(address);
      const step = { method, path: pathname + search, ...(body && { body: parse(body) }) };
      if (step.body === undefined && body) return React.createElement(Original, props);
      const [{ code, language: name }] = writeRequest(format, step, { origin, more });
      const options = Object.entries(formats).map(([value, label]) =>
        React.createElement('option', { key: value, value }, label),
      );
      const choose = (/** @type {{ target: HTMLSelectElement }} */ { target }) => {
        localStorage.setItem('requests', target.value);
        setFormat(target.value);
      };
      const choice = React.createElement(
        'select',
        { 'aria-label': 'Request in', value: format, onChange: choose },
        options,
      );
      const copy = React.createElement(
        'button',
        { type: 'button', className: 'copy', 'data-copied': 'Copied' },
        'Copy',
      );
      // Highlighted by elements that React does not know.
      const show = (/** @type {Element | null} */ element) => element && void highlightRequest(element, code, name);
      return React.createElement(
        'figure',
        { className: 'requests' },
        React.createElement('figcaption', null, React.createElement('span', null, 'Request'), choice, copy),
        React.createElement('pre', { tabIndex: 0 }, React.createElement('code', { key: code, ref: show })),
      );
    },
  },
});

/** @param {string} body */
function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const ui = /** @type {any} */ (window).SwaggerUIBundle({
  dom_id: '#docs',
  spec,
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  syntaxHighlight: { theme: 'tomorrow-night' },
  plugins: [plugin],
  requestInterceptor: (/** @type {any} */ request) => {
    const bearer = readToken() || token;
    if (bearer && (!isOpen || request.url.includes('/product_tags')))
      request.headers.Authorization = `Bearer ${bearer}`;
    return request;
  },
  responseInterceptor: (/** @type {any} */ response) => {
    const [, id] = /\/product_tags\/(\d+)$/.exec((response.status === 201 && response.headers.location) || '') ?? [];
    for (const method of id ? Object.keys(updates) : []) {
      const route = ['/product_tags/{id}', method];
      ui.specActions.changeParam(route, 'id', 'path', id, false);
      ui.specActions.clearValidateParams(route);
    }
    return response;
  },
});

// Swagger UI switches to dark colours by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
