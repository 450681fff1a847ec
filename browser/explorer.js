import { readSettings, readToken } from './page.js';

const { introspection, examples, token, version, workers } = readSettings();
const { YogaGraphiQL } = /** @type {any} */ (globalThis);
Object.assign(globalThis, {
  MonacoEnvironment: {
    globalAPI: false,
    getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ name) => `${workers}/${name}.js`,
  },
});

/** Names of the examples, by operation name. @type {Map<string, string>} */
const names = new Map(
  examples.map((/** @type {{ name: string, query: string }} */ { name, query }) => [
    /^(?:query|mutation) (\w+)/m.exec(query)?.[1],
    name,
  ]),
);
const explorer = /** @type {HTMLElement} */ (document.getElementById('explorer'));

/** @type {Element | null} */
let shownTab = null;

// GraphiQL's tabs show operation names, and do not scroll to the active tab.
new MutationObserver(() => {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = explorer.querySelectorAll('.graphiql-tab-button');
  for (const button of buttons) {
    const name = names.get(button.title);
    if (name !== undefined && button.textContent !== name) button.textContent = name;
  }
  const active = explorer.querySelector('.graphiql-tab-active');
  if (active !== shownTab) active?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  shownTab = active;
}).observe(explorer, { childList: true, subtree: true, attributeFilter: ['title', 'class'] });

/** Id of the last tag created on this page. It replaces id 0 in variables, so no example changes another tag. */
let createdId = 0;

YogaGraphiQL.renderYogaGraphiQL(explorer, {
  defaultTabs: examples,
  defaultHeaders: examples[0].headers,
  // Tabs persist until the examples or their language change. Their headers, which may contain tokens, do not.
  storage: {
    getItem: (/** @type {string} */ key) => localStorage.getItem(`${key}:${version}`),
    setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
      localStorage.setItem(`${key}:${version}`, value),
    removeItem: (/** @type {string} */ key) => localStorage.removeItem(`${key}:${version}`),
  },
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
  defaultEditorToolsVisibility: 'variables',
  // Otherwise the component copies the query into the address.
  onEditQuery() {},
  title: '',
  logo: '',
  ...(introspection ? {} : { schema: null }),
  async fetcher(
    /** @type {{ query: string, operationName?: string, variables?: Record<string, unknown> }} */ operation,
    /** @type {{ headers?: Record<string, string> }} */ { headers } = {},
  ) {
    const { query, operationName = '', variables } = operation;
    const bearer = readToken() || token;
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': document.documentElement.lang,
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      body: JSON.stringify({
        query,
        variables: variables?.id === 0 ? { ...variables, id: createdId } : variables,
        // Right after a switch of tabs, it may be that of the previous tab.
        ...(query.includes(operationName) && { operationName }),
      }),
    });
    const result = await response.json();
    createdId = result.data?.createProductTag?.productTag?.id ?? createdId;
    return result;
  },
});
