import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html, settingsBlock } from '../../kernel/html.ts';
import { packageFolder } from '../../kernel/package.ts';
import { idPlaceholders, originPlaceholder, tokenPlaceholder } from './placeholders.ts';
import { pickOutcomes, type Texts } from './texts.ts';
import { formatOptions, getOrigin, type Page, tokenField, type View } from './view.ts';

export interface Guide {
  group: keyof Texts['groups'];
  name: string;
  title: string;
  /** What a reader can do after it. */
  purpose: string;
  /** The headings of levels 2 and 3; `text` is HTML. */
  sections: { id: string; level: number; text: string }[];
  /** HTML below the title. Requests contain placeholders. */
  article: string;
  markdown: string;
  /** Example files by their paths in the project. */
  files: Record<string, string>;
}

const styles = ['content.css'];

/** Options of MiniSearch for the index, which the build writes and the page's script searches. */
export const searchOptions = { fields: ['title', 'text'], storeFields: ['title', 'guide', 'text'] };

export const isSchemaGuide = ({ name }: Pick<Guide, 'name'>) => name.startsWith('schema');

export function readGuides({ introspection }: { introspection: boolean }): Guide[] {
  const guides: Guide[] = JSON.parse(readFileSync(join(packageFolder, 'dist/src/guides.json'), 'utf8'));
  return guides.filter((guide) => introspection || !isSchemaGuide(guide));
}

export function readSearchIndex({ introspection }: { introspection: boolean }): string {
  const name = introspection ? 'search.json' : 'search-without-schema.json';
  return readFileSync(join(packageFolder, 'dist/src', name), 'utf8');
}

export function searchField({ locale, text }: View): Html {
  return html`<search hidden><label class="hidden" for="search">${text.search}</label>
<input type="search" id="search" placeholder="${text.search}" autocomplete="off">
<ul id="found" class="cards" lang="en" dir="ltr" data-options="${JSON.stringify(searchOptions)}"
data-lang="${locale}" data-nothing="${text.foundNothing}" data-count="${text.foundCount}"></ul></search>`;
}

export function renderIndex(view: View, guides: readonly Guide[]): Page {
  const { locale, text } = view;
  const groups = groupGuides(text, guides).map(([label, entries]) => {
    const cards = entries.map(
      ({ name, title, purpose }) => html`<li><a href="/guides/${name}?lang=${locale}" lang="en" dir="ltr">
<strong>${title}</strong><span>${purpose}</span></a></li>\n`,
    );
    return html`<h2>${label}</h2>\n<ul class="cards">\n${cards}</ul>\n`;
  });
  return {
    title: text.guides,
    styles,
    scripts: ['search.js'],
    body: html`<h1>${text.guides}</h1>
<p class="lead">${text.guidesLead} ${locale !== 'en' && text.inEnglish}</p>
${searchField(view)}
${groups}`,
  };
}

const groupGuides = ({ groups }: Texts, guides: readonly Guide[]) =>
  Object.entries(Object.groupBy(guides, ({ group }) => group)).map(
    ([group, entries]) => [groups[group as Guide['group']], entries] as const,
  );

export function renderGuide(view: View, guides: readonly Guide[], guide: Guide): Page {
  const { locale, text, token, request } = view;
  const index = guides.indexOf(guide);
  const linkTo = (to: Guide | undefined, label: string) =>
    to &&
    html`<a href="/guides/${to.name}?lang=${locale}"${to === guide && html` aria-current="page"`}
title="${to.purpose}">${label}</a>\n`;
  const groups = groupGuides(text, guides).map(
    ([label, entries]) =>
      html`<strong lang="${locale}">${label}</strong>\n${entries.map((entry) => linkTo(entry, entry.title))}`,
  );
  const contents = guide.sections.map(
    ({ id, level, text: title }) => html`<a class="level-${level}" href="#${id}">${new Html(title)}</a>\n`,
  );
  // The page's script opens it if the window is wide.
  const renderMenu = (title: string, links: (Html | undefined)[]) =>
    html`<details><summary>${title}</summary><div lang="en" dir="ltr">\n${links}</div></details>`;
  const origin = getOrigin(request);
  const article = guide.article
    .replace(/href="\/(?:guides\/[\w-]+|explorer)(?=["#])/g, `$&?lang=${locale}`)
    .replaceAll(originPlaceholder, origin)
    .replace(/<button [^<>]* data-writes [^<>]*>[^<]*<\/button>/g, (run) =>
      token === undefined ? html`<small>${text.readsOnly}</small>`.toString() : run,
    );
  return {
    title: guide.title,
    styles,
    scripts: ['search.js', 'guides.js'],
    body: html`<div class="guide">
<h1 lang="en" dir="ltr">${guide.title}</h1>
<nav aria-label="${text.guides}">${searchField(view)}
${renderMenu(text.guides, groups)}</nav>
<aside aria-label="${text.contents}">${renderRequestSettings(view, article)}
${renderMenu(text.contents, contents)}</aside>
<div>
${locale !== 'en' && html`<p class="hint">${text.inEnglish}</p>`}
<article lang="en" dir="ltr">
${new Html(article)}
</article>
<p class="bar">${linkTo(guides[index - 1], `${text.previous}: ${guides[index - 1]?.title}`)}
${linkTo(guides[index + 1], `${text.next}: ${guides[index + 1]?.title}`)}</p>
</div>
</div>
${settingsBlock({ origin, token, text: pickOutcomes(text) })}`,
  };
}

function renderRequestSettings(view: View, article: string): Html | false {
  const { text } = view;
  const hasPlaceholder = (name: string) => article.includes(`data-mark="${name}"`);
  const fields = idPlaceholders.filter(hasPlaceholder).map(
    (name) => html`<label dir="ltr">${name} <input class="id" name="${name}" inputmode="numeric" autocomplete="off"
aria-describedby="ids-hint"></label>\n`,
  );
  const hasGraphQL = article.includes('data-as="graphql"') && html`<option value="graphql">GraphQL</option>`;
  const choice = html`<label>${text.format} <select id="format" autocomplete="off">${formatOptions}${hasGraphQL}</select></label>`;
  const hasRequests = article.includes('class="request');
  if (!hasRequests && !hasPlaceholder(tokenPlaceholder)) return false;
  return html`<details class="requests" hidden><summary>${text.requests}</summary>
${hasRequests && choice}
${hasPlaceholder(tokenPlaceholder) && tokenField(view, `${text.tokenFills} ${text.tokenHint}`)}
${fields.length > 0 && html`${fields}<p class="hint" id="ids-hint">${text.idsHint}</p>`}
</details>`;
}
