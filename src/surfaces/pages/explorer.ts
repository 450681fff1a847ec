import type { RequestHandler } from 'express';
import type { Locale } from '../../kernel/localization/locale.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { dataBlock, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, sendPage } from './page.ts';
import { tabs } from './tasks.ts';
import { texts } from './text.ts';

// Altair sets a base for its files, creates style elements, and completes GraphQL in a worker.
const explorerPolicy = policy({
  'style-src': "'self' 'unsafe-inline'",
  'worker-src': "'self'",
  'base-uri': "'self'",
});

/** GET /explorer: Altair, served from this service's own files, with a tab for each task. */
export function getExplorer(assets: Assets, findDemoToken: FindDemoToken, introspection: boolean): RequestHandler {
  return async (request, response) => {
    const locale = localeOf(request);
    const text = texts[locale];
    const token = await findDemoToken(request);
    const settings = {
      introspection,
      tabs: tabs.map(({ names, document, variables = {}, language }) => ({
        initialName: names[locale],
        initialQuery: document,
        initialVariables: JSON.stringify(variables, null, 2),
        initialHeaders: sharedHeaders(language ?? locale, token),
      })),
    };
    const body = html`<div id="explorer" lang="en"><app-root></app-root></div>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a></p></noscript>
<p class="status" dir="${text.dir}">${token === undefined ? text.ownToken : text.demoToken} ${introspection ? text.keys : text.noIntrospection}</p>
${dataBlock('settings', settings)}`;
    const page = layout({
      assets,
      locale,
      path: '/explorer',
      title: text.explorer,
      base: 'altair',
      styles: ['altair/styles.css', 'explorer.css'],
      scripts: ['altair/polyfills.js', 'altair/main.js', 'explorer.js'],
      kind: 'app',
      body,
    });
    sendPage(response, { html: page, locale, policy: explorerPolicy, isSecret: token !== undefined });
  };
}

/** The headers that a page sends with its requests. */
export function sharedHeaders(locale: Locale, token: string | undefined): Record<string, string> {
  return { 'Accept-Language': locale, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
