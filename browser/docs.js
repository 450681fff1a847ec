import { readSettings } from './page.js';

const { url, language, isOpen, token } = readSettings();
const spec = await (await fetch(url)).json();

// Swagger UI fills in the first example of a parameter.
const parameter = spec.components.parameters.AcceptLanguage;
const { [language]: preferred, ...others } = parameter.examples;
parameter.examples = { [language]: preferred, ...others };

// No default id: it might belong to one of the reader's own tags.
delete spec.paths['/product_tags/{id}'].put.parameters[0].example;
// A padlock marks routes that need a token.
const routes = Object.values(spec.paths).flatMap((path) => Object.values(path));
for (const route of isOpen ? routes : []) {
  if (route.security?.some((/** @type {{ token?: unknown }} */ scheme) => scheme.token === undefined))
    route.security = [];
}

const ui = /** @type {any} */ (window).SwaggerUIBundle({
  dom_id: '#docs',
  spec,
  validatorUrl: null,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  onComplete: () => {
    if (token !== undefined) ui.preauthorizeApiKey('token', token);
  },
});

// Swagger UI switches to dark colours by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
