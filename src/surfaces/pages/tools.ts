import { html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { LookupsDocument } from './documents.generated.ts';
import type { Page, View } from './page.ts';
import { tabs, textOf } from './tasks.ts';

const description = `${restPath}/openapi.json`;

/** GET /docs: Swagger UI, served from this service's own files. */
export function renderDocs({ assets, locale, text, token }: View): Page {
  return {
    path: '/docs',
    title: text.rest,
    kind: 'document',
    settings: { url: description, language: locale, token },
    styles: ['swagger-ui.css', 'docs.css'],
    library: assets.url('swagger-ui.js'),
    scripts: ['docs.js'],
    body: html`<h1>${text.rest}</h1>
<p class="lead">${text.docsLead} ${token === undefined ? text.docsOwnToken : text.docsDemoToken} <a href="/guides?lang=${locale}">${text.guides}</a></p>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a> · <a href="${description}">${text.openapi}</a></p></noscript>
<div id="docs" dir="ltr" lang="en"></div>`,
  };
}

/** GET /explorer: Altair, served from this service's own files, with a tab for each task. */
export function renderExplorer({ locale, text, token, service: { hasSchema } }: View): Page {
  const settings = {
    introspection: hasSchema,
    tabs: tabs.map(({ name, document, variables = {} }) => ({
      initialName: text.tabs[name],
      initialQuery: textOf(document),
      initialVariables: JSON.stringify(variables, null, 2),
      initialHeaders: sharedHeaders(locale, token),
    })),
  };
  return {
    path: '/explorer',
    title: text.explorer,
    kind: 'app',
    // Altair sets a base for its files, creates style elements, and completes GraphQL in a worker.
    policy: { 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'", 'base-uri': "'self'" },
    settings,
    base: 'altair',
    styles: ['altair/styles.css', 'explorer.css'],
    scripts: ['altair/polyfills.js', 'altair/main.js', 'explorer.js'],
    body: html`<div id="explorer" lang="en"><app-root></app-root></div>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a></p></noscript>
<p class="status" dir="${text.dir}">${token === undefined ? text.ownToken : text.demoToken} ${hasSchema ? text.keys : text.noIntrospection}</p>`,
  };
}

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com';

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
    policy: { 'script-src': `'self' ${cdn}`, 'frame-src': 'https://sandbox.embed.apollographql.com' },
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

/** The headers that a tool sends with its requests. */
function sharedHeaders(locale: Locale, token: string | undefined): Record<string, string> {
  return { 'Accept-Language': locale, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
