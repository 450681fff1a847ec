import type { Request, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { Locale } from '../../kernel/localization/locale.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import type { Assets } from './assets.ts';
import { abridge, codeBlock, curl } from './code.ts';
import type { Example } from './examples.ts';
import { Html, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, policy, setPageHeaders } from './page.ts';
import { tagExamples } from './tag-examples.ts';
import { texts } from './text.ts';

interface Parts {
  assets: Assets;
  /** Whether reference data needs a token, too. */
  isClosed: boolean;
  isEmbedded: boolean;
  hasSchema: boolean;
  referenceExamples: (locale: Locale) => Promise<Example[]>;
}

const firstDocument = `{
  countries {
    id
    name
  }
}`;

const readDemoToken = html`TOKEN=$(cat "\${DATA_DIR:-.data}/demo-token")`;

/** By how many names of the service the page is kept: anybody can make up others. */
const mostHosts = 20;

/** GET /: what the service is, where to go on, and how both surfaces answer; made anew when they answer something else. */
export function getHome(parts: Parts): RequestHandler {
  const kept = new LRUCache<string, { shows: Example[]; answer: CachedResponse }>({ max: mostHosts });
  return async (request, response) => {
    const locale = localeOf(request);
    const origin = originOf(request);
    const shows = await parts.referenceExamples(locale);
    setPageHeaders(response, { locale, policy: policy() });
    const key = `${locale} ${origin}`;
    let page = kept.get(key);
    if (page?.shows !== shows) {
      page = { shows, answer: new CachedResponse(response, homePage(parts, locale, origin, shows).toString()) };
      kept.set(key, page);
    }
    page.answer.send(response);
  };
}

function homePage(parts: Parts, locale: Locale, origin: Html, reference: readonly Example[]): Html {
  const { assets } = parts;
  const title = texts[locale].home;
  const body = content(parts, locale, origin, [...reference, ...tagExamples[locale]]);
  return layout({ assets, locale, path: '/', title, script: 'home.ts', kind: 'document', body });
}

function content(
  { isClosed, isEmbedded, hasSchema }: Parts,
  locale: Locale,
  origin: Html,
  examples: readonly Example[],
): Html {
  const text = texts[locale];
  const first = { body: { query: firstDocument.replace(/\s+/g, ' ') }, language: locale, needsToken: isClosed };
  const needsToken = ({ method }: Example) => isClosed || method !== 'GET';
  return html`<section class="hero">
<h1>${text.title}</h1>
<p>${text.lead}</p>
</section>
<ul class="cards">
${card(`/graphql?lang=${locale}`, text.sandbox, text.sandboxHint)}
${card(`/explorer?lang=${locale}`, text.explorer, text.explorerHint)}
${card(`/docs?lang=${locale}`, text.rest, text.restHint)}
${card('/partner_portal/v1/openapi.json', text.openapi, text.openapiHint)}
${hasSchema && card('/schema.graphql', text.schema, text.schemaHint)}
</ul>
<section aria-labelledby="start">
<h2 id="start">${text.start}</h2>
<p>${text.startHint}</p>
<div class="pair">
${codeBlock(locale, text.startCurl, curl(html`${origin}/graphql`, first))}
${codeBlock(locale, text.startDocument, firstDocument)}
</div>
<p>${text.tokenHint} ${isEmbedded ? text.tokenEmbedded : text.tokenIssued}</p>
${codeBlock(locale, text.tokenCommand, isEmbedded ? readDemoToken : html`TOKEN=pp_…`)}
</section>
<section aria-labelledby="mapping">
<h2 id="mapping">${text.mapping}</h2>
<p>${text.mappingHint}</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="mapping"><table>
<thead><tr><th scope="col">${text.route}</th><th scope="col">${text.document}</th><th scope="col">${text.token}</th></tr></thead>
<tbody>
${examples.map((example) => html`<tr><th scope="row"><a href="#${nameOf(example)}" dir="ltr">${routeOf(example)}</a></th><td><code dir="ltr">${nameOf(example)}</code></td><td>${needsToken(example) ? text.needed : text.open}</td></tr>\n`)}
</tbody>
</table></div>
${examples.map((example) => comparison(locale, origin, example, needsToken(example)))}
</section>`;
}

function card(to: string, title: string, hint: string): Html {
  return html`<li><a href="${to}"><strong>${title}</strong><span>${hint}</span></a></li>\n`;
}

function comparison(locale: Locale, origin: Html, example: Example, needsToken: boolean): Html {
  const text = texts[locale];
  const { method, path, body, document, variables, answers } = example;
  const command = curl(html`${origin}${path}`, { method, body, language: locale, needsToken });
  return html`<article id="${nameOf(example)}">
<h3 dir="ltr"><span class="method">${method}</span> ${routeOf(example).slice(method.length + 1)}</h3>
<div class="pair">
<div>
${codeBlock(locale, text.request, command)}
${answers ? codeBlock(locale, text.answer, abridge(answers.rest, locale), { copyable: false }) : html`<p>${text.noAnswer}</p>`}
</div>
<div>
${codeBlock(locale, text.document, document)}
${Object.keys(variables).length > 0 && codeBlock(locale, text.variables, JSON.stringify(variables, null, 2))}
${answers && codeBlock(locale, text.graphqlAnswer, abridge(answers.graphql, locale), { copyable: false })}
</div>
</div>
</article>
`;
}

/** The name of the document's operation. */
function nameOf({ document }: Example): string {
  return /^(?:query|mutation) (\w+)/.exec(document)?.[1] ?? '';
}

// Without the parameters, and with the name of the one in the path.
function routeOf({ method, path }: Example): string {
  return `${method} ${path.replace(/\?.*/, '').replace(/\/\d+$/, '/:id')}`;
}

// As the browser sees it: its script puts in the scheme that a proxy before the service may have.
function originOf({ headers: { host = '' } }: Request): Html {
  return html`<span data-origin>http://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}</span>`;
}
