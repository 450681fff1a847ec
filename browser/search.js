const field = /** @type {HTMLInputElement} */ (document.getElementById('search'));
const list = /** @type {HTMLElement} */ (document.getElementById('found'));
const { options = '', lang, nothing = '' } = list.dataset;

/** Loaded with the first letter. @type {Promise<any> | undefined} */
let loaded;
const load = async () => {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import(new URL('./minisearch.js', import.meta.url).href),
    fetch('/guides/search.json'),
  ]);
  return MiniSearch.loadJSON(await response.text(), JSON.parse(options));
};

field.addEventListener('input', async () => {
  loaded ??= load();
  const index = await loaded;
  const found = index.search(field.value, { prefix: true, fuzzy: 0.2, boost: { title: 4 } }).slice(0, 8);
  const entries = found.map((/** @type {any} */ { id, title, guide }) => {
    const link = document.createElement('a');
    const [path, anchor] = id.split('#');
    link.href = `${path}?lang=${lang}${anchor ? `#${anchor}` : ''}`;
    link.textContent = title === guide ? title : `${title} · ${guide}`;
    const entry = document.createElement('li');
    entry.append(link);
    return entry;
  });
  [list.dir, list.lang] = entries.length > 0 ? ['ltr', 'en'] : [document.dir, lang ?? ''];
  list.replaceChildren(...(entries.length > 0 || field.value === '' ? entries : [nothing]));
});
