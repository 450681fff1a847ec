import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Html, html } from '../../kernel/html.ts';
import { packageFolder } from '../../kernel/package.ts';
import type { Page, View } from './view.ts';

/** A document of docs/partners. */
export interface Guide {
  name: string;
  title: string;
  /** The titles of its sections, as HTML. */
  contents: string;
  /** HTML, with its heading and links to its sections. */
  article: string;
}

const styles = ['content.css'];

/** The guides that the build rendered. */
export function readGuides(): Guide[] {
  return JSON.parse(readFileSync(join(packageFolder, 'dist/src/guides.json'), 'utf8'));
}

/** GET /guides: the guides and their sections. */
export function renderIndex({ locale, text }: View, guides: readonly Guide[]): Page {
  const cards = guides.map(
    ({ name, title, contents }) =>
      html`<li><a href="/guides/${name}?lang=${locale}" lang="en" dir="ltr"><strong>${title}</strong><span>${new Html(contents)}</span></a></li>\n`,
  );
  return {
    title: text.guides,
    styles,
    body: html`<h1>${text.guides}</h1>
<p class="lead">${text.guidesLead} ${locale !== 'en' && text.inEnglish}</p>
<ul class="cards">
${cards}
</ul>`,
  };
}

/** GET /guides/NAME: a guide, with links to the others. */
export function renderGuide({ locale, text }: View, guides: readonly Guide[], { title, article }: Guide): Page {
  const links = guides.map((guide) => {
    const isCurrent = guide.title === title;
    return html`<a href="/guides/${guide.name}?lang=${locale}"${isCurrent && html` aria-current="page"`}>${guide.title}</a>\n`;
  });
  return {
    title,
    styles,
    body: html`<div class="choice" role="group" aria-label="${text.guides}" lang="en" dir="ltr">${links}</div>
${locale !== 'en' && html`<p class="hint">${text.inEnglish}</p>`}
<article lang="en" dir="ltr">
${new Html(article.replace(/href="(\/guides\/[\w-]+)/g, `$&?lang=${locale}`))}
</article>`,
  };
}
