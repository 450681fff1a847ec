import type { RequestHandler } from 'express';
import { restPath } from '../../kernel/request/surface-path.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, sendPage } from './page.ts';
import { texts } from './text.ts';

const description = `${restPath}/openapi.json`;

/** GET /docs: Swagger UI from this service's own files, to read about REST v1 and to try it. */
export function getDocs(assets: Assets, findDemoToken: FindDemoToken): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const body = html`<section class="hero">
<h1>${text.rest}</h1>
<p>${text.docsLead}</p>
</section>
<p>${token === undefined ? text.docsOwnToken : text.docsDemoToken}</p>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a> · <a href="${description}">${text.openapi}</a></p></noscript>
<div id="docs" dir="ltr" lang="en"></div>
${dataBlock('settings', { url: description, language: locale, token })}`;
    sendPage(response, {
      html: layout({ assets, locale, path: '/docs', title: text.rest, script: 'docs.ts', kind: 'document', body }),
      locale,
      policy: policy(),
      isSecret: token !== undefined,
    });
  };
}
