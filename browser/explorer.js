import { readSettings, readToken } from './page.js';

const { headers, introspection, token, workers } = readSettings();
const { YogaGraphiQL } = /** @type {any} */ (globalThis);
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ name) => `${workers}/${name}.js`,
  },
});

// GraphiQL reads its first operation once: from the address, or from the first example.
const isOperation = () => location.hash.startsWith('#query=');
addEventListener('hashchange', () => isOperation() && location.reload());
/** @type {HTMLAnchorElement | null} */
const firstExample = document.querySelector('.examples a');
const operation = new URLSearchParams((isOperation() ? location.hash : firstExample?.hash)?.slice(1));

YogaGraphiQL.renderYogaGraphiQL(document.getElementById('explorer'), {
  endpoint: '/graphql',
  additionalHeaders() {
    const bearer = readToken() || token;
    return bearer ? { Authorization: `Bearer ${bearer}` } : {};
  },
  ...(introspection ? {} : { schema: null }),
  initialQuery: operation.get('query') ?? '',
  initialVariables: operation.get('variables') ?? '',
  defaultHeaders: headers,
  // The tabs of opened examples would pile up.
  storage: null,
  shouldPersistHeaders: false,
  defaultEditorToolsVisibility: 'variables',
  forcedTheme: 'system',
  title: '',
  logo: '',
  // The address is a link to the operation of the open tab. Yoga would keep the query alone, and send it to the server.
  onEditQuery() {},
  onTabChange(
    /** @type {{ tabs: Record<string, string | null>[], activeTabIndex: number }} */ { tabs, activeTabIndex },
  ) {
    const { query, variables } = tabs[activeTabIndex] ?? {};
    history.replaceState(null, '', `#${new URLSearchParams({ query: query ?? '', variables: variables ?? '' })}`);
  },
});
