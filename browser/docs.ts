import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { readSettings } from './settings.ts';

interface Settings {
  /** Where the description is. */
  url: string;
  /** The one that answers are asked for in, unless another is chosen. */
  language: string;
  token?: string;
}

interface Description {
  components: {
    parameters: { AcceptLanguage: { examples: Record<string, object> } };
    securitySchemes: Record<string, object>;
  };
}

const { url, language, token } = readSettings<Settings>();

/** Of the examples of a parameter, Swagger UI fills in the first. */
function preselect({ AcceptLanguage }: Description['components']['parameters']): void {
  const { [language]: preferred, ...others } = AcceptLanguage.examples;
  if (preferred !== undefined) AcceptLanguage.examples = { [language]: preferred, ...others };
}

const plugin = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (original: (description: Description) => unknown) => (description: Description) => {
          preselect(description.components.parameters);
          return original(description);
        },
      },
    },
  },
});

const ui = SwaggerUI({
  dom_id: '#docs',
  url,
  validatorUrl: null,
  persistAuthorization: false,
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [plugin],
  onComplete: () => {
    if (token !== undefined) ui.preauthorizeApiKey('token', token);
  },
});

// Its dark colours go by a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();
