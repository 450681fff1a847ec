import type { RequestHandler } from 'express';
import { restPath } from '../../kernel/request/surface-path.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, sendPage } from './page.ts';
import { texts } from './text.ts';

const description = `${restPath}/openapi.json`;

/** GET /docs: Swagger UI, served from this service's own files. */
export function getDocs(assets: Assets, findDemoToken: FindDemoToken): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const body = html`<h1>${text.rest}</h1>
<p class="lead">${text.docsLead} ${token === undefined ? text.docsOwnToken : text.docsDemoToken}</p>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a> · <a href="${description}">${text.openapi}</a></p></noscript>
<div id="docs" dir="ltr" lang="en"></div>
<script src="${assets.url('swagger-ui.js')}" defer></script>
${dataBlock('settings', { url: description, language: locale, token })}`;
    const styles = ['swagger-ui.css', 'docs.css'];
    const scripts = ['docs.js'];
    const page = layout({ assets, locale, path: '/docs', title: text.rest, styles, scripts, kind: 'document', body });
    sendPage(response, { html: page, locale, isSecret: token !== undefined });
  };
}
