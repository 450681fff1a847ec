import { readSettings, readToken } from './page.js';

const { url, language, token } = readSettings();

const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();

/** @type {any} */ (globalThis).SwaggerUIBundle({
  dom_id: '#docs',
  url,
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  defaultModelsExpandDepth: -1,
  requestInterceptor(/** @type {{ headers: Record<string, string> }} */ request) {
    const bearer = readToken() || token;
    // A token entered in Swagger UI comes first.
    if (bearer) request.headers.Authorization ??= `Bearer ${bearer}`;
    request.headers['Accept-Language'] ??= language;
    return request;
  },
});
