import { html } from '../../kernel/html.ts';
import { type Page, sharedHeaders, type View } from './page.ts';
import { policy } from './policy.ts';
import { tabs, textOf } from './tasks.ts';

// Altair sets a base for its files, creates style elements, and completes GraphQL in a worker.
const explorerPolicy = policy({
  'style-src': "'self' 'unsafe-inline'",
  'worker-src': "'self'",
  'base-uri': "'self'",
});

/** GET /explorer: Altair, served from this service's own files, with a tab for each task. */
export function renderExplorer({ locale, text, token }: View, introspection: boolean): Page {
  const settings = {
    introspection,
    tabs: tabs.map(({ name, document, variables = {}, language }) => ({
      initialName: text.tabs[name],
      initialQuery: textOf(document),
      initialVariables: JSON.stringify(variables, null, 2),
      initialHeaders: sharedHeaders(language ?? locale, token),
    })),
  };
  return {
    path: '/explorer',
    title: text.explorer,
    kind: 'app',
    policy: explorerPolicy,
    settings,
    base: 'altair',
    styles: ['altair/styles.css', 'explorer.css'],
    scripts: ['altair/polyfills.js', 'altair/main.js', 'explorer.js'],
    body: html`<div id="explorer" lang="en"><app-root></app-root></div>
<noscript><p class="notice">${text.noScript} <a href="/?lang=${locale}">${text.home}</a></p></noscript>
<p class="status" dir="${text.dir}">${token === undefined ? text.ownToken : text.demoToken} ${introspection ? text.keys : text.noIntrospection}</p>`,
  };
}
