import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked } from 'marked';
import { getHeadingList, gfmHeadingId } from 'marked-gfm-heading-id';
import type { Guide } from '../src/surfaces/pages/guides.ts';
import { guidesFolder, root } from './make-folder.ts';

/** In the order of the pages. */
const names = ['quickstart', 'graphql', 'rest-v1', 'errors', 'retries-and-versions', 'limits'];

const marked = new Marked(gfmHeadingId());

/** The guides for partners, as the pages show them. */
export async function renderGuides(): Promise<Guide[]> {
  const guides: Guide[] = [];
  for (const name of names) {
    const text = await readFile(join(root, guidesFolder, `${name}.md`), 'utf8');
    const parsed = marked.parse(text, { async: false });
    const [heading, ...others] = getHeadingList();
    const sections = others.filter(({ level }) => level === 2);
    const links = sections.map((section) => `<li><a href="#${section.id}">${section.text}</a></li>`);
    const article = parsed
      .replace('</h1>', `</h1>\n<ul>${links.join('')}</ul>`)
      .replace(/<(h[2-6]) id="([^"]*)">(.*)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
      .replace(/href="([\w-]+)\.md/g, 'href="/guides/$1')
      // So that the keyboard scrolls what is wider than the window.
      .replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
    const contents = sections.map((section) => section.text).join(' · ');
    guides.push({ name, title: heading?.text ?? name, contents, article });
  }
  return guides;
}
