import { readSettings, readToken } from './page.js';

const { introspection, tabs, token, workers } = readSettings();
const { YogaGraphiQL } = /** @type {any} */ (globalThis);
Object.assign(globalThis, {
  MonacoEnvironment: {
    globalAPI: false,
    getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ name) => `${workers}/${name}.js`,
  },
});

/** The id of the last tag that this page created. In variables, id 0 stands for it, so that no example changes another tag. */
let createdId = 0;

YogaGraphiQL.renderYogaGraphiQL(document.getElementById('explorer'), {
  defaultTabs: tabs,
  defaultHeaders: tabs[0].headers,
  // Tabs stay in the browser. Their headers, which may hold tokens, do not.
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
  defaultEditorToolsVisibility: 'variables',
  // By default the component copies the query into the address.
  onEditQuery() {},
  title: '',
  logo: '',
  ...(introspection ? {} : { schema: null }),
  async fetcher(
    /** @type {{ query: string, operationName?: string, variables?: Record<string, unknown> }} */ operation,
    /** @type {{ headers?: Record<string, string> }} */ { headers } = {},
  ) {
    const { query, operationName = '', variables } = operation;
    const bearer = token ?? readToken();
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
        // Just after a change of tabs it may be that of the other tab.
        ...(query.includes(operationName) && { operationName }),
      }),
    });
    const result = await response.json();
    createdId = result.data?.createProductTag?.productTag?.id ?? createdId;
    return result;
  },
});
