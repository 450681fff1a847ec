import type { RequestHandler } from 'express';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { sharedHeaders } from './explorer.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, sendPage } from './page.ts';
import { starters } from './starters.ts';
import { texts } from './text.ts';

const cdn = 'https://embeddable-sandbox.cdn.apollographql.com';
const frame = 'https://sandbox.embed.apollographql.com';

const sandboxPolicy = policy({ 'script-src': `'self' ${cdn}`, 'frame-src': frame });

/** GET /graphql in a browser: Apollo Sandbox, which its script embeds; the way to the explorer where it cannot be had. */
export function getSandbox(assets: Assets, findDemoToken: FindDemoToken): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const [starter] = starters;
    const settings = {
      // The version that Apollo Server embeds too.
      script: `${cdn}/v2/embeddable-sandbox.umd.production.min.js`,
      origin: frame,
      options: {
        target: '#sandbox',
        initialState: {
          document: starter?.document,
          sharedHeaders: sharedHeaders(locale, token),
          pollForSchemaUpdates: false,
        },
        runTelemetry: false,
        endpointIsEditable: false,
        hideCookieToggle: true,
        // It would add a style element, which the policy refuses.
        allowDynamicStyles: false,
      },
    };
    const explorerLink = html`<a class="button" href="/explorer?lang=${locale}">${text.openExplorer}</a>`;
    const body = html`<div id="sandbox" dir="ltr"></div>
<section class="notice loading" role="status"><p>${text.loading}</p></section>
<section class="notice away" role="alert"><h1>${text.sandboxAway}</h1><p>${text.sandboxAwayHint}</p><p>${explorerLink}</p></section>
<noscript><section class="notice"><p>${text.noScript}</p><p><a class="button" href="/?lang=${locale}">${text.home}</a></p></section></noscript>
${dataBlock('settings', settings)}`;
    sendPage(response, {
      html: layout({ assets, locale, path: '/graphql', title: text.sandbox, script: 'sandbox.ts', kind: 'app', body }),
      locale,
      policy: sandboxPolicy,
      isSecret: token !== undefined,
    });
  };
}
