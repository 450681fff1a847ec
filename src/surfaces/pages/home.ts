import { type Html, html, settingsBlock } from '../../kernel/html.ts';
import { restPath } from '../../kernel/request/surface-path.ts';
import { examples } from './examples.ts';
import { tokenPlaceholder } from './placeholders.ts';
import recorded from './recorded.generated.json' with { type: 'json' };
import { demoTokenCommand } from './shown-demo-token.ts';
import { type Format, isSuccessful, formats as languages, writeRequest } from './snippets.ts';
import { pickOutcomes, type Texts } from './texts.ts';
import { getOrigin, type Page, tokenField, type View } from './view.ts';

export function renderHome(view: View): Page {
  const { config, text } = view;
  return {
    title: text.home,
    styles: ['content.css'],
    scripts: ['home.js'],
    body: html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
<p class="start"><a class="button" href="/guides/quickstart?lang=${view.locale}">${text.start}</a>
<a class="button" href="/explorer?lang=${view.locale}">${text.explorer}</a></p>
${playground(view)}
${embeds(view)}
<section aria-labelledby="tokens">
<h2 id="tokens">${text.tokens}</h2>
<p>${config.demo ? text.tokensEmbedded : text.tokensHint}</p>
${config.demo && codeBlock(text, { name: '', caption: text.tokenCommand, code: demoTokenCommand, language: 'bash' })}
</section>`,
  };
}

function playground(view: View): Html {
  const { config, locale, request, text, token, linkTo } = view;
  const api = createChoice(view, 'API', 'api', { graphql: 'GraphQL', rest: 'REST v1' }, 'graphql');
  const language = createChoice(view, text.language, 'language', { en: 'English', ar: 'العربية' }, locale);
  const example = createChoice(view, text.example, 'example', text.examples, 'lookups');
  const isGraphQL = api.value === 'graphql';
  const formats = { ...(isGraphQL && { graphql: 'GraphQL' }), ...languages };
  const format = createChoice<Format>(view, text.format, 'as', formats, isGraphQL ? 'graphql' : 'curl');

  const isClosed = config.referenceAccess === 'partner';
  const { [api.value]: steps, needsToken = isClosed } = examples[example.value];
  const options = { origin: getOrigin(request), language: language.value };
  const shown = { ...options, token: needsToken ? (token ?? tokenPlaceholder) : undefined };
  const form = html`<form id="run" hidden><button type="submit" class="button">${text.run}</button></form>`;
  const recordings = recorded[`${api.value} ${example.value} ${language.value}`];
  const exchanges = steps.map((step, index) => {
    const number = steps.length > 1 && index + 1;
    const requests = writeRequest(format.value, step, shown).map(({ isVariables, ...snippet }) =>
      codeBlock(text, { name: 'request', number, caption: isVariables ? text.variables : text.request, ...snippet }),
    );
    const { status = 0, text: json = '' } = recordings[index] ?? {};
    const [style, label] = isSuccessful(status, json) ? ['succeeded', text.succeeded] : ['rejected', text.rejected];
    const outcome = html` <b class="${style}">${status} ${label}</b>`;
    return html`<div class="requests">${requests}</div>
${codeBlock(text, {
  name: 'response',
  number,
  caption: text.response,
  code: isClosed ? text.noRecording : json,
  language: isClosed ? 'plaintext' : 'json',
  more: html`${!isClosed && outcome} <small>${text.recorded}</small>`,
})}`;
  });
  const hint = steps.length > 1 && html`<p class="hint">${text.updateHint}</p>`;
  const noRoute = html`<p>${text.noRoute} <a href="${linkTo({ api: 'graphql' })}">${text.chooseGraphQL}</a></p>`;
  return html`<section class="playground" aria-label="${text.tryIt}">
<div class="choices">
${example.links}
<p id="failure"></p>
</div>
<div class="exchanges">
<div class="bar">${steps.length > 0 && form}${api.links}${language.links}${steps.length > 0 && format.links}</div>
${steps.length === 0 && noRoute}
${
  steps.length > 0 &&
  html`${needsToken && tokenField(view)}${hint}
${exchanges}`
}
</div>
${settingsBlock({ ...options, steps, token: needsToken ? token : undefined, text: pickOutcomes(text) })}
</section>`;
}

function createChoice<Value extends string>(
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
    links: html`<div class="choice" id="choose-${part}" role="group" aria-label="${label}"><span>${label}</span>${links}</div>`,
  };
}

function embeds({ config, locale, text }: View): Html {
  const cards = [
    [`/explorer?lang=${locale}`, text.explorer, text.explorerHint],
    [`/graphql?lang=${locale}`, text.sandbox, text.sandboxHint],
    [`/docs?lang=${locale}`, text.rest, text.restHint],
    [`/guides?lang=${locale}`, text.guides, text.guidesHint],
    [`${restPath}/openapi.json`, text.openapi, text.openapiHint],
    ...(config.introspection ? [[`/guides/schema?lang=${locale}`, text.schema, text.schemaHint]] : []),
  ];
  return html`<section aria-labelledby="tools">
<h2 id="tools">${text.tools}</h2>
<ul class="cards">
${cards.map(([to, title, hint]) => html`<li><a href="${to}"><strong>${title}</strong><span>${hint}</span></a></li>\n`)}
</ul>
</section>`;
}

interface Block {
  name: '' | 'request' | 'response';
  caption: string;
  /** Of several requests. */
  number?: number | false;
  code: string;
  language: string;
  more?: Html;
}

function codeBlock({ copy, copied }: Texts, { name, caption, number, code, language, more }: Block): Html {
  return html`<figure class="${name}"><figcaption><span>${caption}${more}</span>
<button type="button" class="copy" data-copied="${copied}" hidden>${copy}</button></figcaption>
<pre dir="ltr" tabindex="0" role="region"
aria-label="${caption}${number && ` ${number}`}"><code class="language-${language}">${code}</code></pre></figure>\n`;
}
