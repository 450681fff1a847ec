import { readSettings } from './page.js';

const { url, language, token } = readSettings();

/** Of a parameter's examples, Swagger UI fills in the first. */
const preselectLanguage = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (/** @type {Function} */ original) => (/** @type {any} */ description) => {
          const parameter = description.components?.parameters?.AcceptLanguage;
          const { [language]: preferred, ...others } = parameter?.examples ?? {};
          if (preferred !== undefined) parameter.examples = { [language]: preferred, ...others };
          return original(description);
        },
      },
    },
  },
});

const ui = /** @type {any} */ (window).SwaggerUIBundle({
  dom_id: '#docs',
  url,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: -1,
  plugins: [preselectLanguage],
  onComplete: () => {
    if (token !== undefined) ui.preauthorizeApiKey('token', token);
  },
});

// Swagger UI has dark colours by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
