import { readSettings } from './page.js';

// Apollo's script, if it loaded, defines it.
const { EmbeddedSandbox } = /** @type {any} */ (window);
if (EmbeddedSandbox !== undefined) {
  new EmbeddedSandbox({ ...readSettings(), initialEndpoint: new URL('/graphql', location.href).href });
}
