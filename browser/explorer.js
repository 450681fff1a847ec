import { readSettings, readToken } from './page.js';

const { headers, introspection, token, workers } = readSettings();
const { YogaGraphiQL } = /** @type {any} */ (globalThis);
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ name) => `${workers}/${name}.js`,
  },
});

// GraphiQL reads its first operation only once.
const isOperation = () => location.hash.startsWith('#query=');
addEventListener('hashchange', () => isOperation() && location.reload());
const firstExample = /** @type {HTMLAnchorElement | null} */ (document.querySelector('.examples a'));
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
  // Otherwise, the tabs of opened examples would pile up.
  storage: null,
  shouldPersistHeaders: false,
  defaultEditorToolsVisibility: 'variables',
  forcedTheme: 'system',
  title: '',
  logo: '',
  // Yoga's own link would have the query alone, and send it to the server.
  onEditQuery() {},
  onTabChange(
    /** @type {{ tabs: Record<string, string | null>[], activeTabIndex: number }} */ { tabs, activeTabIndex },
  ) {
    const { query, variables } = tabs[activeTabIndex] ?? {};
    history.replaceState(null, '', `#${new URLSearchParams({ query: query ?? '', variables: variables ?? '' })}`);
  },
});
