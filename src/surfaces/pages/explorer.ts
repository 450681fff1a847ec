import type { RequestHandler } from 'express';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, sendPage } from './page.ts';
import { starters } from './starters.ts';
import { texts } from './text.ts';

// Its editor makes style elements as it goes, and works in threads of its own.
const explorerPolicy = policy({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" });

/** GET /explorer: GraphiQL from this service's own files, opened on the starters. */
export function getExplorer(assets: Assets, findDemoToken: FindDemoToken, introspection: boolean): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const settings = {
      endpoint: '/graphql',
      headers: sharedHeaders(locale, token),
      introspection,
      tabs: starters.map(({ document, variables, headers }) => ({
        query: document,
        variables: Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : '',
        headers: JSON.stringify({ 'Accept-Language': locale, ...headers }, null, 2),
      })),
    };
    const body = html`<div id="explorer" dir="ltr" lang="en"><p class="notice">GraphiQL…</p></div>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a></p></noscript>
<p class="status">${token === undefined ? text.ownToken : text.demoToken}${introspection ? html` <span class="keys">${text.keys}</span>` : ` ${text.noIntrospection}`}</p>
${dataBlock('settings', settings)}`;
    sendPage(response, {
      html: layout({
        assets,
        locale,
        path: '/explorer',
        title: text.explorer,
        script: 'explorer.ts',
        kind: 'app',
        body,
      }),
      locale,
      policy: explorerPolicy,
      isSecret: token !== undefined,
    });
  };
}

/** The headers that a page's operations are sent with. */
export function sharedHeaders(locale: string, token: string | undefined): Record<string, string> {
  return { 'Accept-Language': locale, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
