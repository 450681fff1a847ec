import { dataBlock, type Html, html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import type { Page, View } from './page.ts';
import recorded from './recorded.generated.json' with { type: 'json' };
import { type Format, formats, writeRequest } from './requests.ts';
import { type Surface, surfaces, type TaskName, taskNames, tasks } from './tasks.ts';
import type { Texts } from './texts.ts';

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
  text: string;
}

const recordings: Record<string, Recording[]> = recorded;

export const recordingKey = ({ surface, task, language }: Pick<Choice, 'surface' | 'task' | 'language'>) =>
  `${surface} ${task} ${language}`;

/** GET /: choose a request, run it, and see its response. Without JavaScript, links choose and responses are recorded. */
export function renderHome(view: View): Page {
  const { request, text, service } = view;
  const choice = choiceOf(view);
  const isDefault = Object.keys(request.query).every((name) => name === 'lang');
  const command = service.isEmbedded ? `TOKEN=$(cat "\${DATA_DIR:-.data}/demo-token")` : 'TOKEN=pp_…';
  return {
    path: isDefault ? '/' : linkTo(choice, {}).replace(/&lang=\w+/, ''),
    title: text.home,
    kind: 'document',
    styles: ['content.css'],
    scripts: ['home.js'],
    body: html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
${playground(view, choice)}
${tools(view)}
<section aria-labelledby="tokens">
<h2 id="tokens">${text.tokens}</h2>
<p>${service.isEmbedded ? text.tokensEmbedded : text.tokensHint}</p>
${codeBlock(text, text.tokenCommand, command)}
</section>`,
  };
}

function choiceOf({ request: { query }, locale }: View): Choice {
  const oneOf = <Value extends string>(name: string, values: readonly Value[], fallback: NoInfer<Value>) =>
    values.find((value) => value === query[name]) ?? fallback;
  const surface = oneOf('surface', surfaces, 'graphql');
  return {
    lang: locale,
    surface,
    language: oneOf('language', ['en', 'ar'], locale),
    task: oneOf('task', taskNames, 'lookups'),
    as: oneOf('as', formatsOf(surface), surface === 'graphql' ? 'graphql' : 'curl'),
  };
}

function formatsOf(surface: Surface): Format[] {
  return formats.filter((format) => surface === 'graphql' || format !== 'graphql');
}

function linkTo(choice: Choice, change: Partial<Choice>): string {
  const { surface, language, task, as, lang } = { ...choice, ...change };
  return `/?surface=${surface}&task=${task}&language=${language}&as=${as}&lang=${lang}`;
}

function playground({ request, text, token, service }: View, choice: Choice): Html {
  const { surface, language, task, as } = choice;
  const steps = tasks[task][surface];
  const needsToken = service.isClosed || tasks[task].needsToken === true;
  // The page's script replaces the scheme, which a proxy may change.
  const { host = '' } = request.headers;
  const options = { origin: `http://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`, language, needsToken };
  const { running, failed, live } = text;
  const settings = { ...options, steps, token: needsToken ? token : undefined, text: { running, failed, live } };
  const formatNames = { curl: 'curl', fetch: 'fetch', graphql: 'GraphQL' };
  const asksForToken = needsToken && token === undefined;
  const input = html`<input name="token" type="password" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…" required>`;
  const form = html`<form class="run" hidden>
${asksForToken && html`<label>${text.token} ${input}</label>`}
<button type="submit" class="button">${text.run}</button>
</form>`;
  const sendable = html`${steps.map((step) => codeBlock(text, text.request, writeRequest(as, step, options)))}
${needsToken && html`<p class="hint">${asksForToken ? text.tokenHint : text.tokenDemo}</p>`}
${steps.length > 1 && html`<p class="hint">${text.updateHint}</p>`}`;
  return html`<section class="playground" aria-label="${text.request}">
<div class="choices">
${group(choice, text.surface, 'surface', { graphql: 'GraphQL', rest: 'REST v1' })}
${group(choice, text.language, 'language', { en: 'English', ar: 'العربية' })}
${group(choice, text.task, 'task', text.tasks)}
</div>
<div>
<div class="bar">
${group(choice, text.format, 'as', Object.fromEntries(formatsOf(surface).map((format) => [format, formatNames[format]])))}
${steps.length > 0 && form}
</div>
${steps.length > 0 ? sendable : html`<p>${text.noRoute}</p>`}
</div>
<div class="response" aria-live="polite">
${(recordings[recordingKey(choice)] ?? []).map((recording) => {
  const shown = service.isClosed ? { status: '', text: text.noRecording } : recording;
  return codeBlock(text, text.response, shown.text, html` <b>${shown.status}</b> <small>${text.recorded}</small>`);
})}
</div>
${dataBlock('settings', settings)}
</section>`;
}

/** Links that change one part of the choice, by its values and their names. */
function group(choice: Choice, label: string, part: keyof Choice, names: Record<string, string>): Html {
  const links = Object.entries(names).map(([value, name]) => {
    const isCurrent = choice[part] === value;
    return html`<a href="${linkTo(choice, { [part]: value })}"${isCurrent && html` aria-current="true"`}>${name}</a>`;
  });
  return html`<div class="choice" role="group" aria-label="${label}"><span>${label}</span>${links}</div>\n`;
}

function tools({ text, locale, service: { hasSchema } }: View): Html {
  const cards = [
    [`/explorer?lang=${locale}`, text.explorer, text.explorerHint],
    [`/graphql?lang=${locale}`, text.sandbox, text.sandboxHint],
    [`/docs?lang=${locale}`, text.rest, text.restHint],
    [`/guides?lang=${locale}`, text.guides, text.guidesHint],
    [`${restPath}/openapi.json`, text.openapi, text.openapiHint],
    ...(hasSchema ? [['/schema.graphql', text.schema, text.schemaHint]] : []),
  ];
  return html`<section aria-labelledby="tools">
<h2 id="tools">${text.tools}</h2>
<ul class="cards">
${cards.map(([to, title, hint]) => html`<li><a href="${to}"><strong>${title}</strong><span>${hint}</span></a></li>\n`)}
</ul>
</section>`;
}

/** A block of code, left to right, with a button that copies it. */
function codeBlock({ copy, copied }: Texts, caption: string, code: string, more?: Html): Html {
  return html`<figure><figcaption><span>${caption}${more}</span><button type="button" data-copied="${copied}" hidden>${copy}</button></figcaption><pre dir="ltr" tabindex="0" role="region" aria-label="${caption}"><code>${code}</code></pre></figure>\n`;
}
