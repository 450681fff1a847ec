import { copy, readSettings, readToken } from './page.js';

const { introspection, examples, headers, token, version, workers, hint, cost } = readSettings();
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
const format = /** @type {HTMLSelectElement} */ (find('#format'));
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
  format.value = localStorage.getItem('requests') ?? 'curl';
  if (format.selectedIndex === -1) format.selectedIndex = 0;
  format.addEventListener('change', () => localStorage.setItem('requests', format.value));
  find('#copy-request').addEventListener('click', async ({ target }) => {
    const { writeRequest } = await import(new URL('./snippets.js', import.meta.url).href);
    const more = readJson('request-headers.json');
    const bearer = readToken() || token || 'pp_YOUR_TOKEN';
    // The comment above an example is not part of it.
    const query = editorOf('operation.graphql')
      .getValue()
      .trim()
      .replace(/^(?:#.*\s+)+/, '');
    const body = bodyOf({ query, variables: readJson('variables.json'), operationName: lastName });
    const options = { origin: location.origin, more, token: more.Authorization ? undefined : bearer };
    const [{ code }] = writeRequest(format.value, { method: 'POST', path: '/graphql', body }, options);
    void copy(code, /** @type {HTMLElement} */ (target));
  });
  // Beside the tab of the headers. A press there would move the border of the editors.
  const field = find('.token');
  field.addEventListener('mousedown', (event) => event.stopPropagation());
  find('.graphiql-editor-tools').append(field);
}).observe(explorer, { childList: true, subtree: true });

/** Gives the editors the colours of the page. */
function setColours() {
  const { editor } = /** @type {any} */ (globalThis).__MONACO;
  const colours = {
    DARK: ['vs-dark', '#1c2225', '#e7ebec', '#5fd0ae', '#1d3a33', '#a7b2b8', '#dba4e6', '#f0b078', '#8ab8f0'],
    LIGHT: ['vs', '#ffffff', '#1d2327', '#0b6e56', '#e6f3ee', '#53606a', '#7a2a86', '#8a3d00', '#1d4f91'],
  };
  for (const [name, [base, surface, text, accent, chosen, muted, keyword, number, field]] of Object.entries(colours)) {
    const tokens = { comment: muted, keyword, number, string: accent, type: number, annotation: keyword, key: field };
    const ofJson = { 'string.key.json': field, 'string.value.json': accent, 'keyword.json': number };
    const rules = Object.entries({ ...tokens, 'argument.identifier.gql': accent, ...ofJson });
    // Monaco gives a class to what is in italics alone: explorer.css sets the direction of comments by it.
    const styleOf = (/** @type {string} */ token) => token === 'comment' && { fontStyle: 'italic' };
    editor.defineTheme(`graphiql-${name}`, {
      base,
      inherit: true,
      rules: rules.map(([token, foreground]) => ({ token, foreground, ...styleOf(token) })),
      colors: {
        'editor.background': '#00000000',
        'editor.foreground': text,
        'editor.placeholder.foreground': muted,
        'editorSuggestWidget.selectedBackground': chosen,
        'editorSuggestWidget.selectedForeground': accent,
        'editorWidget.background': surface,
        'editorLineNumber.foreground': muted,
        focusBorder: accent,
        'list.highlightForeground': accent,
        'textLink.foreground': accent,
      },
    });
  }
}

/** Id of the last tag created on this page. It replaces id 0 in variables, so no example changes another tag. */
let createdId = 0;
/** Name of the operation that ran last. */
let lastName = '';

/** What GraphiQL's editor of JSON has, or nothing. @param {string} name */
function readJson(name) {
  try {
    return JSON.parse(editorOf(name).getValue());
  } catch {
    return {};
  }
}

/** @param {{ query: string, variables?: Record<string, unknown>, operationName?: string }} operation */
const bodyOf = ({ query, variables, operationName = '' }) => ({
  query,
  variables: variables?.id === 0 ? { ...variables, id: createdId } : variables,
  // One operation needs no name. Right after a change of the document, it may be that of the previous one.
  ...(/\}\s*(?:query|mutation)\b/.test(query) && query.includes(operationName) && { operationName }),
});

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
    const isIntrospection = operation.operationName === 'IntrospectionQuery';
    const bearer = readToken() || token;
    const start = performance.now();
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': document.documentElement.lang,
        ...(bearer && { Authorization: `Bearer ${bearer}` }),
        ...(!isIntrospection && { 'X-Query-Cost': '1' }),
        ...headers,
      },
      body: JSON.stringify(bodyOf(operation)),
    });
    const bytes = await response.arrayBuffer();
    const result = JSON.parse(new TextDecoder().decode(bytes));
    if (isIntrospection) return result;
    lastName = operation.operationName ?? '';
    const time = Math.round(performance.now() - start);
    const size = (bytes.byteLength / 1024).toFixed(1);
    const { used, max } = result.extensions?.cost ?? {};
    const shown = cost.replace('{used}', used?.toLocaleString('en')).replace('{max}', max?.toLocaleString('en'));
    const ending = used === undefined ? '' : ` · ${shown}`;
    find('#outcome').replaceChildren(`${response.status} · ${time} ms · ${size} KiB${ending}`);
    find('#received').replaceChildren([...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'));
    find('#show-headers').removeAttribute('disabled');
    createdId = result.data?.createProductTag?.productTag?.id ?? createdId;
    // Only the explorer has asked for the cost.
    if (headers?.['X-Query-Cost'] === undefined) delete result.extensions;
    return result;
  },
});
