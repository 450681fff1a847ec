import type { Request, RequestHandler } from 'express';
import type { Locale } from '../../kernel/localization/locale.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { dataBlock, type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { localeOf, sendPage } from './page.ts';
import recorded from './recorded.generated.json' with { type: 'json' };
import { type Format, formats, writeRequest } from './requests.ts';
import { getTask, type Surface, surfaces, type TaskName, taskNames } from './tasks.ts';
import { texts } from './text.ts';

interface Parts {
  assets: Assets;
  findDemoToken: FindDemoToken;
  /** Whether reference data needs a token, too. */
  isClosed: boolean;
  isEmbedded: boolean;
  hasSchema: boolean;
}

/** What the overview shows, by its query. */
interface Choice {
  lang: Locale;
  surface: Surface;
  language: Locale;
  task: TaskName;
  as: Format;
}

/** A response of the demo data, with long lists abridged. */
export interface Recording {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const recordings: Record<string, Recording[]> = recorded;

export const recordingKey = (surface: Surface, task: TaskName, language: Locale) => `${surface} ${task} ${language}`;

/** GET /: choose a request, run it, and see its response. Without JavaScript, links choose and responses are recorded. */
export function getHome(parts: Parts): RequestHandler {
  return async (request, response) => {
    const token = await parts.findDemoToken(request);
    const choice = choiceOf(request);
    const isDefault = Object.keys(request.query).every((name) => name === 'lang');
    const path = isDefault ? '/' : linkTo(choice, {}).replace(/&lang=\w+/, '');
    const title = texts[choice.lang].home;
    const body = content(parts, choice, originOf(request), token);
    const page = layout({
      assets: parts.assets,
      locale: choice.lang,
      path,
      title,
      styles: ['home.css'],
      scripts: ['home.js'],
      kind: 'document',
      body,
    });
    sendPage(response, { html: page, locale: choice.lang, isSecret: token !== undefined });
  };
}

function choiceOf(request: Request): Choice {
  const oneOf = <Value extends string>(name: string, values: readonly Value[], fallback: NoInfer<Value>) =>
    values.find((value) => value === request.query[name]) ?? fallback;
  const lang = localeOf(request);
  const surface = oneOf('surface', surfaces, 'graphql');
  const shown = formats.filter((format) => surface === 'graphql' || format !== 'graphql');
  return {
    lang,
    surface,
    language: oneOf('language', ['en', 'ar'], lang),
    task: oneOf('task', taskNames, 'lookups'),
    as: oneOf('as', shown, surface === 'graphql' ? 'graphql' : 'curl'),
  };
}

function linkTo(choice: Choice, change: Partial<Choice>): string {
  const { surface, language, task, as, lang } = { ...choice, ...change };
  return `/?surface=${surface}&task=${task}&language=${language}&as=${as}&lang=${lang}`;
}

function content(parts: Parts, choice: Choice, origin: string, token: string | undefined): Html {
  const { isClosed, isEmbedded, hasSchema } = parts;
  const { lang, surface, language, task, as } = choice;
  const text = texts[lang];
  const steps = getTask(task)[surface];
  const needsToken = isClosed || getTask(task).needsToken === true;
  const group = (label: string, links: [change: Partial<Choice>, name: string][]) =>
    html`<div class="choice" role="group" aria-label="${label}"><span>${label}</span>${links.map(([change, name]) => {
      const isCurrent = Object.entries(change).every(([key, value]) => choice[key as keyof Choice] === value);
      return html`<a href="${linkTo(choice, change)}"${isCurrent && html` aria-current="true"`}>${name}</a>`;
    })}</div>\n`;

  return html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
<section class="playground" aria-label="${text.request}">
<div class="choices">
${group(text.surface, [
  [{ surface: 'graphql' }, 'GraphQL'],
  [{ surface: 'rest' }, 'REST v1'],
])}
${group(text.language, [
  [{ language: 'en' }, 'English'],
  [{ language: 'ar' }, 'العربية'],
])}
${group(
  text.task,
  taskNames.map((name) => [{ task: name }, getTask(name).names[lang]]),
)}
</div>
<div class="request">
<div class="bar">
${group(
  text.format,
  formats
    .filter((format) => format !== 'graphql' || surface === 'graphql')
    .map((format) => [{ as: format }, format === 'graphql' ? 'GraphQL' : format]),
)}
${
  steps.length > 0 &&
  html`<form class="run" hidden>
${needsToken && token === undefined && html`<label>${text.token} <input name="token" type="password" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…" required></label>`}
<button type="submit" class="button">${text.run}</button>
</form>`
}
</div>
${steps.map((step) => codeBlock(lang, text.request, writeRequest(as, step, { origin, language, needsToken })))}
${steps.length === 0 && html`<p>${text.noRoute}</p>`}
${needsToken && steps.length > 0 && html`<p class="hint">${token === undefined ? text.tokenHint : text.tokenDemo}</p>`}
${steps.length > 1 && html`<p class="hint">${text.updateHint}</p>`}
</div>
<div class="response" aria-live="polite">
${steps.length > 0 && (isClosed ? html`<p class="hint">${text.noRecording}</p>` : recordedResponses(choice))}
</div>
${dataBlock('settings', { steps, origin, language, token: needsToken ? token : undefined, text: scriptTexts(text) })}
</section>
<section aria-labelledby="tools">
<h2 id="tools">${text.tools}</h2>
<ul class="cards">
${card(`/explorer?lang=${lang}`, text.explorer, text.explorerHint)}
${card(`/graphql?lang=${lang}`, text.sandbox, text.sandboxHint)}
${card(`/docs?lang=${lang}`, text.rest, text.restHint)}
${card('/partner_portal/v1/openapi.json', text.openapi, text.openapiHint)}
${hasSchema && card('/schema.graphql', text.schema, text.schemaHint)}
</ul>
</section>
<section aria-labelledby="tokens">
<h2 id="tokens">${text.tokens}</h2>
<p>${isEmbedded ? text.tokensEmbedded : text.tokensHint}</p>
${codeBlock(lang, text.tokenCommand, isEmbedded ? `TOKEN=$(cat "\${DATA_DIR:-.data}/demo-token")` : 'TOKEN=pp_…')}
</section>`;
}

function scriptTexts({ running, failed, live, response, copy, copied }: (typeof texts)[Locale]) {
  return { running, failed, live, response, copy, copied };
}

function recordedResponses({ surface, task, language, lang }: Choice): Html[] {
  const text = texts[lang];
  return (recordings[recordingKey(surface, task, language)] ?? []).map(({ status, headers, body }) => {
    const shown = Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
    return html`${codeBlock(lang, html`${text.response} <b>${status}</b> <small>${text.recorded}</small>`, body)}<dl dir="ltr">${shown}</dl>\n`;
  });
}

/** A block of code, left to right, with a button that copies it. */
function codeBlock(lang: Locale, caption: string | Html, code: string): Html {
  const { copy, copied, request } = texts[lang];
  return html`<figure><figcaption><span>${caption}</span><button type="button" data-copied="${copied}" hidden>${copy}</button></figcaption><pre dir="ltr" tabindex="0" role="region" aria-label="${typeof caption === 'string' ? caption : request}"><code>${code}</code></pre></figure>\n`;
}

function card(to: string, title: string, hint: string): Html {
  return html`<li><a href="${to}"><strong>${title}</strong><span>${hint}</span></a></li>\n`;
}

// The page's script replaces the scheme, which a proxy may change.
function originOf({ headers: { host = '' } }: Request): string {
  return `http://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}
