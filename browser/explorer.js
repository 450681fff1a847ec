import { copy, readSettings, readToken } from './page.js';

const { introspection, examples, headers, token, version, workers, hint } = readSettings();
const { YogaGraphiQL } = /** @type {any} */ (globalThis);
Object.assign(globalThis, {
  MonacoEnvironment: {
    globalAPI: false,
    getWorkerUrl: (/** @type {string} */ _module, /** @type {string} */ name) => `${workers}/${name}.js`,
  },
});

const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const explorer = find('#explorer');
const choice = /** @type {HTMLSelectElement} */ (find('#example'));
/** The editor of a document: GraphiQL puts Monaco, but not its editors, into a global variable. @type {(name: string) => any} */
const editorOf = (name) =>
  /** @type {any} */ (globalThis).__MONACO?.editor
    .getEditors()
    .find((/** @type {any} */ editor) => editor.getModel()?.uri.path.endsWith(`-${name}`));

/** Shows an operation: in a new tab, if the present one has been edited. @param {Record<string, string>} operation */
function show({ query, variables = '' }) {
  if (!query) return;
  const isEdited = ['', ...examples.map((/** @type {any} */ example) => example.query)].every(
    (each) => each !== editorOf('operation.graphql').getValue(),
  );
  if (isEdited) find('.graphiql-tab-add').click();
  editorOf('operation.graphql').setValue(query);
  editorOf('variables.json').setValue(variables);
  editorOf('response.json').setValue('');
  find('#outcome').replaceChildren();
}

// Runs once GraphiQL has made its editors.
new MutationObserver((_records, observer) => {
  const names = ['operation.graphql', 'variables.json', 'request-headers.json', 'response.json'];
  if (!names.every(editorOf)) return;
  observer.disconnect();
  setColours();
  // Tab leaves an editor.
  editorOf('operation.graphql').trigger('', 'editor.action.toggleTabFocusMode');
  // At its end, an editor lets the page scroll.
  for (const name of names) editorOf(name).updateOptions({ scrollbar: { alwaysConsumeMouseWheel: false } });
  editorOf('response.json').updateOptions({ placeholder: hint });
  const openShared = () => show(Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  addEventListener('hashchange', openShared);
  openShared();
  choice.addEventListener('change', () => show(examples[choice.selectedIndex]));
  find('#copy-link').addEventListener('click', ({ target }) => {
    const operation = {
      query: editorOf('operation.graphql').getValue(),
      variables: editorOf('variables.json').getValue(),
    };
    const link = `${location.href.split('#')[0]}#${new URLSearchParams(operation)}`;
    void copy(link, /** @type {HTMLElement} */ (target));
  });
}).observe(explorer, { childList: true, subtree: true });

/** Gives the editors the colours of the page. */
function setColours() {
  const { editor } = /** @type {any} */ (globalThis).__MONACO;
  const colours = {
    DARK: ['vs-dark', '#1c2225', '#5fd0ae', '#1d3a33', '#a7b2b8', '#a5b1ff'],
    LIGHT: ['vs', '#ffffff', '#0b6e56', '#e6f3ee', '#53606a', '#5a55c4'],
  };
  for (const [name, [base, surface, accent, chosen, comment, argument]] of Object.entries(colours)) {
    editor.defineTheme(`graphiql-${name}`, {
      base,
      inherit: true,
      rules: [
        { token: 'comment', foreground: comment },
        { token: 'argument.identifier.gql', foreground: argument },
      ],
      colors: {
        'editor.background': '#00000000',
        'editor.placeholder.foreground': comment,
        'editorSuggestWidget.selectedBackground': chosen,
        'editorSuggestWidget.selectedForeground': accent,
        'editorWidget.background': surface,
        'editorLineNumber.foreground': comment,
        focusBorder: accent,
        'list.highlightForeground': accent,
        'textLink.foreground': accent,
      },
    });
  }
}

/** Id of the last tag created on this page. It replaces id 0 in variables, so no example changes another tag. */
let createdId = 0;

YogaGraphiQL.renderYogaGraphiQL(explorer, {
  defaultTabs: [{ ...examples[0], headers }],
  defaultHeaders: headers,
  // Tabs persist until the examples or their language change. Their headers, which may contain tokens, do not.
  storage: {
    getItem(/** @type {string} */ key) {
      const stored = localStorage.getItem(`${key}:${version}`);
      // GraphiQL adds a tab unless one has the stored query and variables, which it does not store before they change.
      const [, part] = /^graphiql:(query|variables)$/.exec(key) ?? [];
      if (stored !== null || part === undefined) return stored;
      const { tabs, activeTabIndex } = JSON.parse(
        localStorage.getItem(`graphiql:tabState:${version}`) ?? '{"tabs":[]}',
      );
      return tabs[activeTabIndex]?.[part] ?? null;
    },
    setItem: (/** @type {string} */ key, /** @type {string} */ value) =>
      localStorage.setItem(`${key}:${version}`, value),
    removeItem: (/** @type {string} */ key) => localStorage.removeItem(`${key}:${version}`),
  },
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
  forcedTheme: 'system',
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
    const start = performance.now();
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
        // Right after a change of the document, it may be that of the previous one.
        ...(query.includes(operationName) && { operationName }),
      }),
    });
    const bytes = await response.arrayBuffer();
    const time = Math.round(performance.now() - start);
    const size = (bytes.byteLength / 1024).toFixed(1);
    if (operationName !== 'IntrospectionQuery')
      find('#outcome').replaceChildren(`${response.status} · ${time} ms · ${size} KiB`);
    const result = JSON.parse(new TextDecoder().decode(bytes));
    createdId = result.data?.createProductTag?.productTag?.id ?? createdId;
    return result;
  },
});
