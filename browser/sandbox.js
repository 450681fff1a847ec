import { readSettings } from './page.js';

// Defined by Apollo's script, if it loaded.
const { EmbeddedSandbox } = /** @type {any} */ (window);
if (EmbeddedSandbox !== undefined) {
  new EmbeddedSandbox({ ...readSettings(), initialEndpoint: new URL('/graphql', location.href).href });
}
