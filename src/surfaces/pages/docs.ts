import { html } from '../../kernel/html.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import type { Page, View } from './page.ts';

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
