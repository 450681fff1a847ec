import { html } from '../../kernel/html.ts';
import { LookupsDocument } from './documents.generated.ts';
import { type Page, sharedHeaders, type View } from './page.ts';
import { policy } from './policy.ts';
import { textOf } from './tasks.ts';

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com';
const sandboxPolicy = policy({ 'script-src': `'self' ${cdn}`, 'frame-src': 'https://sandbox.embed.apollographql.com' });

/** GET /graphql in a browser: Apollo Sandbox by its documented embed, and a link to the explorer where that does not load. */
export function renderSandbox({ locale, text, token }: View): Page {
  const initialState = {
    document: textOf(LookupsDocument),
    sharedHeaders: sharedHeaders(locale, token),
    pollForSchemaUpdates: false,
  };
  return {
    path: '/graphql',
    title: text.sandbox,
    kind: 'app',
    policy: sandboxPolicy,
    settings: {
      target: '#sandbox',
      initialState,
      runTelemetry: false,
      endpointIsEditable: false,
      hideCookieToggle: true,
      // It would add a style element, which the policy blocks.
      allowDynamicStyles: false,
    },
    library: `${cdn}/v2/embeddable-sandbox.umd.production.min.js`,
    scripts: ['sandbox.js'],
    body: html`<div id="sandbox" dir="ltr"></div>
<div class="notice"><h1>${text.sandbox}</h1><p>${text.sandboxHint}</p><p><a class="button" href="/explorer?lang=${locale}">${text.openExplorer}</a></p></div>`,
  };
}
