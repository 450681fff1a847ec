import { readToken } from './page.js';

const shownHeaders = ['Content-Language', 'ETag', 'Location', 'RateLimit', 'Retry-After'];
// Not awaited: a click that comes before its listener would submit the form to the server.
const highlighter = import(new URL('./highlight.js', import.meta.url).href);

/** @param {Element} code @param {string} text @param {string} language */
export async function highlight(code, text, language) {
  code.textContent = text;
  const { default: hljs } = await highlighter;
  if (code.textContent !== text) return;
  // Each string has its own direction: Arabic does not change the order of the JSON around it.
  code.innerHTML = hljs.highlight(text, { language }).value.replaceAll('class="hljs-string"', '$& dir="auto"');
}

/** Sends a request of an example, and shows its response. @param {Element} figure @param {any} step @param {any} options */
export async function run(figure, step, { id = '', language, text, token }) {
  const start = performance.now();
  const sent = send(step, id, language, readToken() || token);
  const { status, isSuccess, shown } = await sent.catch(() => ({ status: '', isSuccess: false, shown: text.failed }));
  const [outcome, note, code] = ['b', 'small', 'code'].map(
    (name) => /** @type {Element} */ (figure.querySelector(name)),
  );
  outcome?.replaceChildren(`${status} ${isSuccess ? text.succeeded : text.rejected}`);
  if (outcome) outcome.className = isSuccess ? 'succeeded' : 'rejected';
  note?.replaceChildren(`${text.live} · ${Math.round(performance.now() - start)} ms`);
  code?.classList.add('live');
  if (code) void highlight(code, shown, 'json');
  return shown;
}

/** @param {any} step @param {string} id @param {string} language @param {string} bearer */
async function send(step, id, language, bearer) {
  const { method, path, body, hasKey } = step;
  // In examples, 0 stands for the created tag.
  const response = await fetch(path.replace(/\/0$/, `/${id}`), {
    method,
    headers: {
      Accept: 'application/json',
      ...(language && { 'Accept-Language': language }),
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
      ...(body && { 'Content-Type': 'application/json' }),
      // Browsers offer UUIDs only on pages over HTTPS or from this machine.
      ...(hasKey && { 'Idempotency-Key': crypto.getRandomValues(new Uint32Array(4)).join('-') }),
    },
    ...(body && { body: JSON.stringify(body).replace('"id":0', `"id":${id}`) }),
  });
  const json = JSON.stringify(await response.json(), null, 2);
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}\n`);
  const isSuccess = response.ok && !/"(errors|userErrors)": \[\s*\{/.test(json);
  return { status: response.status, isSuccess, shown: `${lines.join('')}\n${json}` };
}
