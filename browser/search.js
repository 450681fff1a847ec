import { announce } from './page.js';

const field = /** @type {HTMLInputElement} */ (document.getElementById('search'));
const list = /** @type {HTMLElement} */ (document.getElementById('found'));
const { options: indexOptions = '', lang, nothing = '', count = '' } = list.dataset;

/** Loaded on first input. @type {Promise<any> | undefined} */
let loaded;
const load = async () => {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import(new URL('./minisearch.js', import.meta.url).href),
    fetch('/guides/search.json'),
  ]);
  return MiniSearch.loadJSON(await response.text(), JSON.parse(indexOptions));
};

const stopWords = new Set(
  'a an and are can do does for from how i in is it my of on the there to what with'.split(' '),
);
const options = {
  prefix: true,
  fuzzy: 0.2,
  boost: { title: 4 },
  // Frequent words would match every section.
  processTerm: (/** @type {string} */ term) => (stopWords.has(term.toLowerCase()) ? null : term.toLowerCase()),
};

field.addEventListener('input', async () => {
  loaded ??= load();
  // Retries a failed load once, and again on the next input.
  const index = await loaded
    .catch(() => {
      loaded = load();
      return loaded;
    })
    .catch(() => {
      loaded = undefined;
    });
  if (index === undefined) return;
  const found = index.search(field.value, options).slice(0, 8);
  const entries = found.map((/** @type {any} */ { id, title, guide, text, terms }) => {
    const link = document.createElement('a');
    const [path, anchor] = id.split('#');
    link.href = `${path}?lang=${lang}${anchor ? `#${anchor}` : ''}`;
    const name = document.createElement('strong');
    name.append(title === guide ? title : `${title} · ${guide}`);
    link.append(name, ...excerpt(text, terms));
    const entry = document.createElement('li');
    entry.append(link);
    return entry;
  });
  [list.dir, list.lang] = entries.length > 0 ? ['ltr', 'en'] : [document.dir, lang ?? ''];
  list.replaceChildren(...(entries.length > 0 || field.value === '' ? entries : [nothing]));
  const result = entries.length > 0 ? count.replace('{count}', `${entries.length}`) : nothing;
  announce(field.value === '' ? '' : result);
});

/** @param {string} text @param {string[]} terms */
function excerpt(text, terms) {
  if (text === '') return [];
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((index) => index >= 0);
  const at = Math.min(...(places.length > 0 ? places : [0]));
  const start = at < 40 ? 0 : text.lastIndexOf(' ', at - 30) + 1;
  const [match] = terms.filter((term) => text.toLowerCase().startsWith(term, at)).sort((a, b) => b.length - a.length);
  const end = at + (match?.length ?? 0);
  const isShort = text.length <= end + 60;
  const rest = isShort ? text.slice(end) : `${text.slice(end, text.lastIndexOf(' ', end + 60))} …`;
  const small = document.createElement('small');
  const mark = document.createElement('mark');
  mark.append(text.slice(at, end));
  small.append(`${start > 0 ? '… ' : ''}${text.slice(start, at)}`, mark, rest);
  return [small];
}

field.closest('search')?.addEventListener('keydown', (event) => {
  const { key } = /** @type {KeyboardEvent} */ (event);
  const stops = [field, ...list.querySelectorAll('a')];
  const index = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    event.preventDefault();
    stops[Math.min(Math.max(index + step, 0), stops.length - 1)]?.focus();
  } else if (key === 'Enter' && index === 0) {
    stops[1]?.click();
  } else if (key === 'Escape') {
    field.value = '';
    field.dispatchEvent(new Event('input'));
    field.focus();
  }
});
