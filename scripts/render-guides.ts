import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import type { Guide } from '../src/surfaces/pages/guides.ts';
import { demoTokenCommand } from '../src/surfaces/pages/shown-demo-token.ts';
import { guidesFolder, root } from './make-folder.ts';
import { writeSchemaGuide } from './schema-guide.ts';

// The package has no types.
const highlighter = createRequire(import.meta.url)('@highlightjs/cdn-assets/highlight.min.js');

/** The guides in page order. */
const names = [
  ...['quickstart', 'graphql', 'schema', 'rest-v1', 'rails-clients', 'errors', 'retries-and-versions', 'limits'],
  'changes',
];

/** Languages of code blocks: the highlighter's name and the caption. */
const languages: Record<string, [name: string, caption: string]> = {
  sh: ['bash', 'Shell'],
  json: ['json', 'JSON'],
  graphql: ['graphql', 'GraphQL'],
  variables: ['json', 'Variables'],
  http: ['plaintext', 'HTTP'],
};

const marked = new Marked(gfmHeadingId(), { renderer: { code: ({ text, lang = '' }) => codeBlock(text, lang) } });

/** Renders the guides for partners. */
export async function renderGuides(): Promise<Guide[]> {
  const guides: Guide[] = [];
  for (const name of names) {
    const article = marked.parse(await readGuide(name), { async: false });
    const sections = [...article.matchAll(/<h([23]) id="([^"]*)">(.*)<\/h\1>/g)];
    guides.push({
      name,
      title: /<h1[^>]*>(.*)<\/h1>/.exec(article)?.[1] ?? name,
      sections: sections.map(([, level, id = '', text = '']) => ({ id, level: Number(level), text })),
      article: finish(name, article),
    });
  }
  return guides;
}

async function readGuide(name: string): Promise<string> {
  if (name === 'schema') return writeSchemaGuide();
  const text = await readFile(join(root, guidesFolder, `${name}.md`), 'utf8');
  if (name !== 'changes') return text;
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const releases = changelog
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [title, , changes] = release.split(/\n+(For partners:)\n/);
      return `## ${title}\n\n${changes?.replace(/\nFor operators:.*/s, '') ?? ''}`;
    });
  // Replaces the link to the changelog by the changes.
  return [text.replace(/^\[The changelog\].*$/m, ''), ...releases].join('\n');
}

/** A block of code with a copy button. The page inserts the caller's token. */
function codeBlock(text: string, lang: string): string {
  const [language, caption] = languages[lang] ?? ['plaintext', 'Text'];
  const code = text.replaceAll(demoTokenCommand, 'pp_YOUR_TOKEN');
  const { value } = highlighter.highlight(code, { language }) as { value: string };
  const shown = value.replaceAll('pp_YOUR_TOKEN', '<span class="your-token">pp_YOUR_TOKEN</span>');
  return `<figure><figcaption><span>${caption}</span>
<button type="button" class="copy" data-copied="Copied" hidden>Copy</button></figcaption>
<pre tabindex="0"><code>${shown}</code></pre></figure>\n`;
}

function finish(name: string, article: string): string {
  const linked = article
    .replace(/<(h[2-6]) id="([^"]*)">(.*)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replaceAll('href="../../schema.graphql"', 'href="/guides/schema"')
    .replace(/href="([\w-]+)\.md/g, 'href="/guides/$1')
    // With a tabindex, the keyboard can scroll wide tables.
    .replaceAll('<table>', `<table tabindex="0"${name === 'schema' ? ' class="stacked"' : ''}>`);
  return name === 'errors' ? linked.replace(/<h3 id="(\w+)">[^\n]*<\/h3>\s*(<ul>.*?<\/ul>)/gs, errorDetails) : linked;
}

/** An error code as an expandable row with its status and cause. The page's script opens the row of the anchor. */
function errorDetails(_text: string, code: string, list: string): string {
  const [, status = ''] = /Status:<\/strong> (.*)<\/li>/.exec(list) ?? [];
  const [, when = ''] = /When:<\/strong> (.*?)<\/li>/s.exec(list) ?? [];
  return `<details class="error" id="${code}"><summary><code>${code}</code> <b>${status}</b>
<span class="when">${when.replace(/<[^>]*>/g, '')}</span></summary>${list}</details>`;
}
