import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from '../../kernel/html.ts';
import { packageFolder } from '../../kernel/package.ts';
import type { Page, Render, View } from './page.ts';

/** A document of docs/partners. */
export interface Guide {
  name: string;
  title: string;
  sections: { id: string; title: string }[];
  /** HTML, its heading included. */
  body: string;
}

const styles = ['content.css'];

/** The guides that the build rendered, as pages by their paths. */
export function readGuides(): [path: string, render: Render][] {
  const guides: Guide[] = JSON.parse(readFileSync(join(packageFolder, 'dist/src/guides.json'), 'utf8'));
  return [
    ['/guides', (view) => renderIndex(view, guides)],
    ...guides.map((guide): [string, Render] => [`/guides/${guide.name}`, (view) => renderGuide(view, guides, guide)]),
  ];
}

/** GET /guides: the guides and their sections. */
function renderIndex({ locale, text }: View, guides: readonly Guide[]): Page {
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
function renderGuide({ locale, text }: View, guides: readonly Guide[], { name, title, sections, body }: Guide): Page {
  const others = guides.map((other) => {
    const isCurrent = other.name === name;
    return html`<a href="/guides/${other.name}?lang=${locale}"${isCurrent && html` aria-current="page"`}>${other.title}</a>\n`;
  });
  const contents = sections.map((section) => html`<li><a href="#${section.id}">${new Html(section.title)}</a></li>`);
  // Links to other guides keep the language of the frame.
  const article = body.replace(/href="(\/guides\/[\w-]+)/g, `href="$1?lang=${locale}`);
  return {
    path: `/guides/${name}`,
    title,
    kind: 'document',
    styles,
    body: html`<div class="choice" role="group" aria-label="${text.guides}" lang="en" dir="ltr">${others}</div>
${locale !== 'en' && html`<p class="hint">${text.inEnglish}</p>`}
<article lang="en" dir="ltr">
${new Html(article.replace('</h1>', `</h1>\n${html`<ul>${contents}</ul>`}`))}
</article>`,
  };
}
