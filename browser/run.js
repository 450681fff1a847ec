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

/** Sends a request of an example. @param {any} step @param {string} id @param {string} language @param {string} bearer */
export async function send(step, id, language, bearer) {
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
