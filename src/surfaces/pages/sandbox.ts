import type { RequestHandler } from 'express';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { sharedHeaders } from './explorer.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, sendPage } from './page.ts';
import { documents } from './tasks.ts';
import { texts } from './text.ts';

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com';
const sandboxPolicy = policy({ 'script-src': `'self' ${cdn}`, 'frame-src': 'https://sandbox.embed.apollographql.com' });

/** GET /graphql in a browser: Apollo Sandbox by its documented embed, and a link to the explorer where that does not load. */
export function getSandbox(assets: Assets, findDemoToken: FindDemoToken): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const options = {
      target: '#sandbox',
      initialState: {
        document: documents.lookups,
        sharedHeaders: sharedHeaders(locale, token),
        pollForSchemaUpdates: false,
      },
      runTelemetry: false,
      endpointIsEditable: false,
      hideCookieToggle: true,
      // It would add a style element, which the policy blocks.
      allowDynamicStyles: false,
    };
    const body = html`<div id="sandbox" dir="ltr"></div>
<div class="notice"><h1>${text.sandbox}</h1><p>${text.sandboxHint}</p><p><a class="button" href="/explorer?lang=${locale}">${text.openExplorer}</a></p></div>
<script src="${cdn}/v2/embeddable-sandbox.umd.production.min.js" defer></script>
${dataBlock('settings', options)}`;
    const title = text.sandbox;
    const page = layout({ assets, locale, path: '/graphql', title, scripts: ['sandbox.js'], kind: 'app', body });
    sendPage(response, { html: page, locale, policy: sandboxPolicy, isSecret: token !== undefined });
  };
}
