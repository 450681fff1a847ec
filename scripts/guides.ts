import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { demoTokenCommand } from '../src/surfaces/pages/demo-token.ts';
import type { Guide } from '../src/surfaces/pages/guides.ts';
import { guidesFolder, root } from './make-folder.ts';
import { writeSchemaGuide } from './schema-guide.ts';

// It has no types.
const highlighter = createRequire(import.meta.url)('@highlightjs/cdn-assets/highlight.min.js');

/** In the order of the pages. */
const names = ['quickstart', 'graphql', 'schema', 'rest-v1', 'errors', 'retries-and-versions', 'limits', 'changes'];

/** The names of languages in documents, with those of the highlighter and of readers. */
const languages: Record<string, [name: string, caption: string]> = {
  sh: ['bash', 'Shell'],
  json: ['json', 'JSON'],
  graphql: ['graphql', 'GraphQL'],
  variables: ['json', 'Variables'],
  http: ['plaintext', 'HTTP'],
};

const marked = new Marked(gfmHeadingId(), { renderer: { code: ({ text, lang = '' }) => codeBlock(text, lang) } });

/** The guides for partners, as the pages show them. */
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
  // The changes follow on the page itself.
  return [text.replace(/^\[The changelog\].*$/m, ''), ...releases].join('\n');
}

/** A block of code with a button that copies it. The page puts the caller's token in place of the file of the demo partner's. */
function codeBlock(text: string, lang: string): string {
  const [language, caption] = languages[lang] ?? ['plaintext', 'Text'];
  const code = text.replaceAll(demoTokenCommand, 'pp_YOUR_TOKEN');
  const { value } = highlighter.highlight(code, { language }) as { value: string };
  const shown = value.replaceAll('pp_YOUR_TOKEN', '<span class="your-token">pp_YOUR_TOKEN</span>');
  return `<figure><figcaption><span>${caption}</span><button type="button" class="copy" data-copied="Copied" hidden>Copy</button></figcaption><pre tabindex="0"><code>${shown}</code></pre></figure>\n`;
}

function finish(name: string, article: string): string {
  const linked = article
    .replace(/<(h[2-6]) id="([^"]*)">(.*)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replaceAll('href="../../schema.graphql"', 'href="/guides/schema"')
    .replace(/href="([\w-]+)\.md/g, 'href="/guides/$1')
    // So that the keyboard scrolls what is wider than the window.
    .replaceAll('<table>', `<table tabindex="0"${name === 'schema' ? ' class="stacked"' : ''}>`);
  return name === 'errors' ? linked.replace(/<h3 id="(\w+)">[^\n]*<\/h3>\s*(<ul>.*?<\/ul>)/gs, errorDetails) : linked;
}

/** A code of the errors: a row of its code, status and cause, which opens. The page's script opens the one of the anchor. */
function errorDetails(_text: string, code: string, list: string): string {
  const [, status = ''] = /Status:<\/strong> (.*)<\/li>/.exec(list) ?? [];
  const [, when = ''] = /When:<\/strong> (.*?)<\/li>/s.exec(list) ?? [];
  return `<details class="error" id="${code}"><summary><code>${code}</code> <b>${status}</b> <span class="when">${when.replace(/<[^>]*>/g, '')}</span></summary>${list}</details>`;
}
