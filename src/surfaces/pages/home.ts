import { type Html, html, settingsBlock } from '../../kernel/html.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { tasks } from './examples.ts';
import recorded from './recorded.generated.json' with { type: 'json' };
import { type Format, writeRequest } from './snippets.ts';
import type { Texts } from './texts.ts';
import type { Page, View } from './view.ts';

/** GET /: choose a request, run it, and see its response. Without JavaScript, links choose and responses are recorded. */
export function renderHome(view: View): Page {
  const { config, text } = view;
  const isEmbedded = config.databaseUrl === undefined;
  return {
    title: text.home,
    styles: ['content.css'],
    scripts: ['home.js'],
    body: html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
${playground(view)}
${tools(view)}
<section aria-labelledby="tokens">
<h2 id="tokens">${text.tokens}</h2>
<p>${isEmbedded ? text.tokensEmbedded : text.tokensHint}</p>
${codeBlock(text, text.tokenCommand, isEmbedded ? `TOKEN=$(cat "\${DATA_DIR:-.data}/demo-token")` : 'TOKEN=pp_…')}
</section>`,
  };
}

function playground(view: View): Html {
  const { config, locale, request, text, token } = view;
  const surface = choose(view, text.surface, 'surface', { graphql: 'GraphQL', rest: 'REST v1' }, 'graphql');
  const language = choose(view, text.language, 'language', { en: 'English', ar: 'العربية' }, locale);
  const task = choose(view, text.task, 'task', text.tasks, 'lookups');
  const isGraphQL = surface.value === 'graphql';
  const formats = { curl: 'curl', fetch: 'fetch', ...(isGraphQL && { graphql: 'GraphQL' }) };
  const format = choose<Format>(view, text.format, 'as', formats, isGraphQL ? 'graphql' : 'curl');

  const isClosed = config.referenceAccess === 'partner';
  const { [surface.value]: steps, needsToken = isClosed } = tasks[task.value];
  const asksForToken = needsToken && token === undefined;
  // The page's script replaces the scheme, which a proxy may change.
  const { host = '' } = request.headers;
  const origin = `http://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
  const options = { origin, language: language.value, needsToken };
  const { failed, live } = text;
  const input = html`<input name="token" type="password" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…" required>`;
  const form = html`<form class="run" hidden>
${asksForToken && html`<label>${text.token} ${input}</label>`}
<button type="submit" class="button">${text.run}</button>
</form>`;
  const requests = html`${steps.map((step) => codeBlock(text, text.request, writeRequest(format.value, step, options)))}
${needsToken && html`<p class="hint">${asksForToken ? text.tokenHint : text.tokenDemo}</p>`}
${steps.length > 1 && html`<p class="hint">${text.updateHint}</p>`}`;
  const responses = recorded[`${surface.value} ${task.value} ${language.value}`].map(({ status, text: json }) => {
    const note = html` <b>${!isClosed && status}</b> <small>${text.recorded}</small>`;
    return codeBlock(text, text.response, isClosed ? text.noRecording : json, note);
  });
  return html`<section class="playground" aria-label="${text.request}">
<div class="choices">
${surface.links}
${language.links}
${task.links}
</div>
<div>
<div class="bar">
${format.links}
${steps.length > 0 && form}
</div>
${steps.length > 0 ? requests : html`<p>${text.noRoute}</p>`}
</div>
<div class="response" aria-live="polite">
${responses}
</div>
${settingsBlock({ ...options, steps, token: needsToken ? token : undefined, text: { failed, live } })}
</section>`;
}

/** One part of the choice: its value by the query of the page, and links to each value by their names. */
function choose<Value extends string>(
  { linkTo, request }: View,
  label: string,
  part: string,
  names: { [value in Value]?: string },
  fallback: NoInfer<Value>,
) {
  const values = Object.keys(names) as Value[];
  const current = values.find((value) => value === request.query[part]) ?? fallback;
  const links = values.map((value) => {
    const isCurrent = value === current && html` aria-current="true"`;
    return html`<a href="${linkTo({ [part]: value })}"${isCurrent}>${names[value]}</a>`;
  });
  return {
    value: current,
    links: html`<div class="choice" role="group" aria-label="${label}"><span>${label}</span>${links}</div>`,
  };
}

function tools({ config, locale, text }: View): Html {
  const cards = [
    [`/explorer?lang=${locale}`, text.explorer, text.explorerHint],
    [`/graphql?lang=${locale}`, text.sandbox, text.sandboxHint],
    [`/docs?lang=${locale}`, text.rest, text.restHint],
    [`/guides?lang=${locale}`, text.guides, text.guidesHint],
    [`${restPath}/openapi.json`, text.openapi, text.openapiHint],
    ...(config.introspection ? [['/schema.graphql', text.schema, text.schemaHint]] : []),
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
