import { html, settingsBlock } from '../../kernel/html.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { assetUrl } from './assets.ts';
import { tabs } from './examples.ts';
import { tagIdPlaceholder } from './placeholders.ts';
import { formatJson } from './snippets.ts';
import type { Texts } from './texts.ts';
import { type Page, tokenField, type View } from './view.ts';

const description = `${restPath}/openapi.json`;

export function renderDocs({ locale, text, token }: View): Page {
  return {
    title: text.rest,
    styles: ['swagger-ui.css', 'docs.css'],
    scripts: ['docs.js'],
    body: html`<p class="lead">${text.docsLead} ${token !== undefined && text.docsDemo}
<a href="/guides/rest-v1?lang=${locale}">${text.guides}</a></p>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a> ·
<a href="${description}">${text.openapi}</a></p></noscript>
<div id="docs" dir="ltr" lang="en"></div>
${settingsBlock({ url: description, language: locale, token })}
<script src="${assetUrl('swagger-ui.js')}" defer></script>`,
  };
}

export function renderExplorer(view: View): Page {
  const { config, locale, text, token } = view;
  const { introspection } = config;
  const examples = Object.entries(tabs).map(([key, { body }]) => {
    const hint = 'id' in body.variables ? `# ${text.tagIdHint}\n` : '';
    // Variables must be valid JSON, and no tag has the id 0.
    const variables = formatJson(body.variables).replace(`"${tagIdPlaceholder}"`, '0');
    const operation = new URLSearchParams({ query: hint + body.query, variables });
    return html`<a href="#${operation.toString()}">${text.tabs[key as keyof Texts['tabs']]}</a>\n`;
  });
  const headers = JSON.stringify({ 'Accept-Language': locale }, null, 2);
  return {
    title: text.explorer,
    isApp: true,
    // The Monaco editor creates style elements, and completes GraphQL in workers.
    csp: { 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" },
    styles: ['graphiql/graphiql.css', 'explorer.css'],
    scripts: ['graphiql/graphiql.js', 'explorer.js'],
    body: html`<h1 class="hidden">${text.explorer}</h1>
<div class="status" hidden><nav class="examples" aria-label="${text.example}">${examples}</nav>
${tokenField(view, token === undefined ? text.tokenHint : text.tokenDemo)}
${!introspection && html`<p class="hint">${text.noIntrospection}</p>`}</div>
<div id="explorer" lang="en" dir="ltr"></div>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a></p></noscript>
${settingsBlock({ headers, introspection, token, workers: assetUrl('graphiql') })}`,
  };
}

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com';

export function renderSandbox({ locale, text, token }: View): Page {
  const settings = {
    target: '#sandbox',
    initialState: {
      document: tabs.lookups.body.query,
      sharedHeaders: { 'Accept-Language': locale, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      pollForSchemaUpdates: false,
    },
    runTelemetry: false,
    endpointIsEditable: false,
    hideCookieToggle: true,
    // The policy blocks the style element of dynamic styles.
    allowDynamicStyles: false,
  };
  return {
    title: 'Apollo Sandbox',
    isApp: true,
    csp: { 'script-src': `'self' ${cdn}`, 'frame-src': 'https://sandbox.embed.apollographql.com' },
    scripts: ['sandbox.js'],
    body: html`<div id="sandbox" dir="ltr"></div>
<div class="notice"><h1>Apollo Sandbox</h1><p>${text.sandboxHint}</p>
<p><a class="button" href="/explorer?lang=${locale}">${text.openExplorer}</a></p></div>
${settingsBlock(settings)}
<script src="${cdn}/v2/embeddable-sandbox.umd.production.min.js" defer></script>`,
  };
}
