import { readToken } from './page.js';

const shownHeaders = ['Content-Language', 'ETag', 'Location', 'RateLimit', 'Retry-After'];
// Not awaited, because a click before its listener is added would submit the form to the server.
const highlighter = import(new URL('./highlight.js', import.meta.url).href);
const snippets = import(new URL('./snippets.js', import.meta.url).href);

/** @param {Element} code @param {string} text @param {string} language */
export async function highlight(code, text, language) {
  code.textContent = text;
  const { default: hljs } = await highlighter;
  if (code.textContent !== text) return;
  // Isolates strings, so that Arabic does not reorder the JSON around them.
  code.innerHTML = hljs.highlight(text, { language }).value.replaceAll('class="hljs-string"', '$& dir="auto"');
}

/** Wraps the token and placeholders in elements. @type {typeof highlight} */
export async function highlightRequest(code, text, language) {
  await highlight(code, text, language);
  code.innerHTML = code.innerHTML
    .replace(/(?<=Bearer )[^'"&<]+/g, '<span class="mark" data-mark="pp_YOUR_TOKEN"><span>$&</span></span>')
    .replace(idMark, '<span class="mark">$&</span>');
}

const idMark = /\b(?:TAG|ITEM)_ID(?:_2)?\b/g;

/** Ids by placeholder. @typedef {Record<string, string>} Ids */

/** @param {string} text @param {Ids} ids */
export const fillIds = (text, ids) =>
  text.replace(new RegExp(`"(${idMark.source})"|${idMark.source}`, 'g'), (mark, name = mark) => ids[name] ?? mark);

/** Finds the ids that later requests use. @param {any} json @returns {Ids} */
export function findIds(json) {
  const tag = json?.data?.createProductTag?.productTag ?? (json?.item_ids && json);
  const [first, second] = json?.data?.items?.nodes ?? [];
  const found = { TAG_ID: tag?.id, ITEM_ID: first?.id, ITEM_ID_2: second?.id };
  return Object.fromEntries(Object.entries(found).flatMap(([mark, id]) => (id === undefined ? [] : [[mark, `${id}`]])));
}

/**
 * @param {Element} figure @param {any} step @param {{ ids?: Ids, language?: string, text: any, token?: string }} options
 */
export async function run(figure, step, { ids = {}, language, text, token }) {
  const start = performance.now();
  const sent = send(step, ids, language, readToken() || token, text);
  const { status, isSuccess, shown, json } = await sent.catch(() => ({ ...failed, shown: text.failed }));
  const [outcome, note, code] = ['b', 'small', 'code'].map(
    (name) => /** @type {Element} */ (figure.querySelector(name)),
  );
  const result = `${status} ${isSuccess ? text.succeeded : text.rejected}`.trim();
  outcome?.replaceChildren(result);
  if (outcome) outcome.className = isSuccess ? 'succeeded' : 'rejected';
  note?.replaceChildren(status === '' ? '' : `${text.live} · ${Math.round(performance.now() - start)} ms`);
  code?.classList.add('live');
  if (code) void highlight(code, shown, 'json');
  return { outcome: status === '' ? `${result}: ${shown}` : result, json };
}

const failed = { status: '', isSuccess: false, json: undefined };

/** @param {any} step @param {Ids} ids @param {string | undefined} language @param {string | undefined} bearer @param {any} text */
async function send(step, ids, language, bearer, text) {
  const filled = fillIds(JSON.stringify(step), ids);
  const [missing] = filled.match(idMark) ?? [];
  if (missing) return { ...failed, shown: text.missing.replace('{id}', missing) };
  const { method, path, body, hasIdempotencyKey } = JSON.parse(filled);
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      ...(language && { 'Accept-Language': language }),
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      // Browsers offer UUIDs only on pages over HTTPS or from this machine.
      ...(hasIdempotencyKey && { 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await response.json();
  const { formatJson, isSuccessful } = await snippets;
  const shown = formatJson(json);
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}\n`);
  const isSuccess = isSuccessful(response.status, shown);
  return { status: `${response.status}`, isSuccess, shown: `${lines.join('')}\n${shown}`, json };
}
