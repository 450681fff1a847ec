import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from '../../kernel/html.ts';
import { packageFolder } from '../../kernel/package.ts';
import type { Page, View } from './page.ts';

/** A document of docs/partners. */
export interface Guide {
  name: string;
  title: string;
  sections: { id: string; title: string }[];
  /** HTML, its heading included. */
  body: string;
}

const styles = ['home.css', 'guides.css'];

/** Reads the guides that the build rendered. */
export function readGuides(): Guide[] {
  return JSON.parse(readFileSync(join(packageFolder, 'dist/src/guides.json'), 'utf8'));
}

/** GET /guides: the guides and their sections. */
export function renderGuides({ locale, text }: View, guides: readonly Guide[]): Page {
  const cards = guides.map(({ name, title, sections }) => {
    const contents = sections.map((section) => section.title).join(' · ');
    return html`<li><a href="/guides/${name}?lang=${locale}" lang="en" dir="ltr"><strong>${title}</strong><span>${new Html(contents)}</span></a></li>\n`;
  });
  return {
    path: '/guides',
    title: text.guides,
    kind: 'document',
    styles,
    body: html`<h1>${text.guides}</h1>
<p class="lead">${text.guidesLead} ${locale !== 'en' && text.inEnglish}</p>
<ul class="cards">
${cards}
</ul>`,
  };
}

/** GET /guides/NAME: a guide, with links to the others and to its sections. */
export function renderGuide({ locale, text }: View, guides: readonly Guide[], guide: Guide): Page {
  const { name, title, sections, body } = guide;
  const others = guides.map((other) => {
    const isCurrent = other.name === name;
    return html`<a href="/guides/${other.name}?lang=${locale}"${isCurrent && html` aria-current="page"`}>${other.title}</a>\n`;
  });
  const contents = sections.map((section) => html`<li><a href="#${section.id}">${new Html(section.title)}</a></li>`);
  const article = body
    // Links to other guides keep the language of the frame.
    .replace(/href="(\/guides\/[\w-]+)/g, `href="$1?lang=${locale}`)
    .replace('</h1>', `</h1>\n${html`<ul class="sections">${contents}</ul>`}`);
  return {
    path: `/guides/${name}`,
    title,
    kind: 'document',
    styles,
    body: html`<div class="choice guides" role="group" aria-label="${text.guides}" lang="en" dir="ltr">${others}</div>
${locale !== 'en' && html`<p class="hint">${text.inEnglish}</p>`}
<article lang="en" dir="ltr">
${new Html(article)}
</article>`,
  };
}
