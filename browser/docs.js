import { readSettings } from './page.js';

const { url, language, token } = readSettings();
const spec = await (await fetch(url)).json();

// Of a parameter's examples, Swagger UI fills in the first.
const parameter = spec.components.parameters.AcceptLanguage;
const { [language]: preferred, ...others } = parameter.examples;
parameter.examples = { [language]: preferred, ...others };

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

// Swagger UI has dark colours by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
