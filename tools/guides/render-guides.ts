import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import MiniSearch from 'minisearch';

import { type Html, html } from '../../src/kernel/html.ts';
import { graphqlPath } from '../../src/kernel/request/surface-path.ts';
import { type Guide, searchOptions } from '../../src/surfaces/pages/guides.ts';
import { idPlaceholders, originPlaceholder, tokenPlaceholder } from '../../src/surfaces/pages/placeholders.ts';
import { demoTokenCommand } from '../../src/surfaces/pages/shown-demo-token.ts';
import { type Format, formatJson, formats, isSuccessful, writeRequest } from '../../src/surfaces/pages/snippets.ts';
import texts from '../../src/surfaces/pages/texts.en.json' with { type: 'json' };
import { examplesIn, guidesFolder, root } from '../build/make-folder.ts';
import { guideList } from './guide-list.ts';
import { expand, readCommand, readVariables } from './read-command.ts';

import { writeSchemaGuides } from './schema-guide.ts';

const { response, succeeded, rejected, recorded } = texts;
// The package has no types.
const highlighter = createRequire(import.meta.url)('@highlightjs/cdn-assets/highlight.min.js');

/** Languages of code blocks: the highlighter's name and the caption. */
const languages: Record<string, [name: string, caption: string]> = {
  sh: ['bash', 'Shell'],
  graphql: ['graphql', 'GraphQL'],
  variables: ['json', 'Variables'],
  http: ['plaintext', 'Response'],
  js: ['javascript', 'JavaScript'],
  jsx: ['javascript', 'JavaScript'],
  html: ['xml', 'HTML'],
  php: ['php', 'PHP'],
  py: ['python', 'Python'],
  rb: ['ruby', 'Ruby'],
  ts: ['typescript', 'TypeScript'],
};

/** The languages of programs by those of their blocks. */
const programs: Record<string, Format> = { sh: 'curl', js: 'javascript', php: 'php', rb: 'ruby', py: 'python' };

export async function renderGuides(): Promise<Guide[]> {
  const guides: Guide[] = [];
  const schemaGuides = await writeSchemaGuides();
  const entries = Object.entries(guideList).flatMap(([group, list]) =>
    Object.entries(list).map(([name, purpose]) => ({ group: group as Guide['group'], name, purpose })),
  );
  for (const { group, name, purpose } of entries) {
    const markdown = schemaGuides[name] ?? (await readGuide(name));
    // Shell variables of the guide, for its other commands.
    let setup = '';
    const code = ({ text, lang = '' }: { text: string; lang?: string }) => {
      if (lang === 'sh setup') {
        setup += `${withTokenMark(text)}\n`;
        return '';
      }
      const variables = readVariables(setup);
      if (lang === 'sh request') return requestBlock(text, variables);
      const [, program = ''] = /^(\w+) program$/.exec(lang) ?? [];
      if (program !== '') return programIn(programs[program] ?? 'curl', text, program === 'sh' ? 'bash' : program);
      const [language = '', more] = lang.split(' ');
      if (language === 'json') return responseBlock(text, more);
      const given = decodeURIComponent(more ?? '');
      return codeBlock(language === 'sh' ? expand(text, variables) : text, language, { variables: given });
    };
    const parsed = new Marked(gfmHeadingId(), { renderer: { code } }).parse(withVariables(markdown), { async: false });
    const [, title = name, article = ''] = /<h1[^>]*>(.*?)<\/h1>(.*)/s.exec(parsed) ?? [];
    const sections = [...article.matchAll(/<h([23]) id="([^"]*)">(.*)<\/h\1>/g)];
    const files: Record<string, string> = {};
    for (const path of examplesIn(markdown)) files[path] = await readFile(join(root, path), 'utf8');
    guides.push({
      group,
      name,
      title,
      purpose,
      sections: sections.map(([, level, id = '', text = '']) => ({ id, level: Number(level), text })),
      article: finish(name, withFiles(article, files)),
      markdown: toServe(markdown),
      files,
    });
  }
  return guides;
}

/** Moves the variables below a query into its info string, for its link. */
const withVariables = (markdown: string) =>
  markdown.replace(
    /(?<=^```graphql)(?=\n[^`]*```\n\n```variables\n([^`]*)```)/gm,
    (_end, variables) => ` ${encodeURIComponent(variables.trim())}`,
  );

export function indexGuides(guides: readonly Guide[]): string {
  const index = new MiniSearch(searchOptions);
  for (const { name, title, article } of guides) {
    const [intro = '', ...sections] = article.split(/(?=<h[23] id="|<details class="error" id=")/);
    const page = { title, guide: title, id: `/guides/${name}` };
    index.add({ ...page, text: plain(intro) });
    for (const section of sections) {
      const [whole = '', anchor = '', heading = ''] = /^.*?id="([^"]*)">(.*?)<\/(?:h[23]|code)>/s.exec(section) ?? [];
      const text = plain(section.slice(whole.length));
      index.add({ ...page, title: plain(heading), id: `${page.id}#${anchor}`, text });
    }
  }
  return JSON.stringify(index);
}

/** The text of a section, without captions and buttons. */
const plain = (html: string) =>
  html
    .replace(
      /<figcaption>.*?<\/figcaption>|<(pre|figure) [^>]* hidden>.*?<\/\1>|<details class="file">.*?<\/details>/gs,
      ' ',
    )
    .replace(/<\/(?:p|li|td|th|h\d|pre|span)>|<br>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:(lt|gt|amp|quot)|#(\d+)|#x([\da-f]+));/gi, (_entity, name, decimal, hex) =>
      name
        ? entities[name as keyof typeof entities]
        : String.fromCodePoint(decimal ? +decimal : Number.parseInt(hex, 16)),
    )
    .replace(/\s+/g, ' ')
    .trim();

const entities = { lt: '<', gt: '>', amp: '&', quot: '"' };

function toServe(markdown: string): string {
  return withTokenMark(markdown)
    .replace(/^```(\w+) \w+$/gm, '```$1')
    .replaceAll('](../../examples/', '](/guides/examples/')
    .replaceAll('](../../schema.graphql)', '](/schema.graphql)')
    .replaceAll('](../../CHANGELOG.md)', '](/guides/changes.md)');
}

const withTokenMark = (commands: string) => commands.replaceAll(`$(${demoTokenCommand})`, tokenPlaceholder);

async function readGuide(name: string): Promise<string> {
  const text = await readFile(join(root, guidesFolder, `${name}.md`), 'utf8');
  if (name !== 'changes') return text;
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const releases = changelog
    .split(/^## /m)
    .slice(1)
    .map((release) => {
      const [title = '', , changes] = release.split(/\n+(For partners:)\n/);
      const heading = title.includes('unreleased') ? 'In this version' : title;
      return `## ${heading}\n\n${changes?.replace(/\nFor operators:.*/s, '') ?? ''}`;
    });
  // Replaces the link to the changelog by the changes.
  return [text.replace(/^\[The changelog\].*$/m, ''), ...releases].join('\n');
}

function codeBlock(text: string, lang: string, { name = '', variables = '' } = {}): string {
  const [language, caption] = languages[lang] ?? ['plaintext', 'Text'];
  return `<figure><figcaption><span>${name || caption}</span>
${lang === 'graphql' ? explorerLink(text, variables) : ''}${copyButton}</figcaption>
<pre tabindex="0"><code>${highlight(text, language)}</code></pre></figure>\n`;
}

const copyButton = '<button type="button" class="copy" data-copied="Copied" hidden>Copy</button>';

const explorerLink = (query = '', variables = '') =>
  html`<a class="open" href="/explorer#${`${new URLSearchParams({ query, variables })}`}">Open in explorer</a>\n`;

/** A response as the overview shows it. `...` in it stands for any value, and for the rest of a list. */
function responseBlock(text: string, status = '200'): string {
  const abridged = text.replace(/"(?:[^"\\]|\\.)*"|\.{3}/g, (part) => (part === '...' ? '"…"' : part));
  const json = formatJson(JSON.parse(abridged)).replaceAll('"…"', '…');
  const [style, outcome] = isSuccessful(Number(status), json) ? ['succeeded', succeeded] : ['rejected', rejected];
  return `<figure class="response"><figcaption><span>${response} <b class="${style}">${status} ${outcome}</b>
<small>${recorded}</small></span>
${copyButton}</figcaption>
<pre tabindex="0"><code>${highlight(json, 'json')}</code></pre></figure>\n`;
}

/** A request in each language, of which the page shows one, with a button that sends it. */
function requestBlock(command: string, variables: Record<string, string>): string {
  const { step, language, token, isRead } = readCommand(command, variables);
  const write = (format: Format) =>
    writeRequest(format, step, { origin: originPlaceholder, token, ...(language && { language }) });
  const blocks = (Object.keys(formats) as Format[]).flatMap((format) =>
    write(format).map(({ code, language: name }) => writtenIn(format, code, name)),
  );
  let link: Html | undefined;
  if (step.path === graphqlPath) {
    const [query, values] = write('graphql').map(({ code }) => code);
    link = explorerLink(query, values);
    blocks.push(writtenIn('graphql', query ?? '', 'graphql'));
    if (values) blocks.push(codeBlock(values, 'variables').replace('<figure', '<figure data-as="graphql" hidden'));
  }
  const data = JSON.stringify({ ...step, language });
  const run = html`<button type="button" class="copy run" data-step="${data}"${!isRead && html` data-writes`} hidden>Run</button>`;
  return `<figure class="request"><figcaption><span>Request</span>
${run}
${link ?? ''}${copyButton}</figcaption>
${blocks.join('')}</figure>\n`;
}

/** Programs that follow each other are one, of which the page shows one language. */
const programBlock = (blocks: string) => `<figure class="request program"><figcaption><span>Program</span>
${copyButton}</figcaption>
${blocks}</figure>\n`;

const programIn = (...program: Parameters<typeof writtenIn>) =>
  writtenIn(...program).replace('<pre', '<pre class="program"');

const writtenIn = (format: Format, code: string, language: string) =>
  `<pre tabindex="0" data-as="${format}"${format === 'curl' ? '' : ' hidden'}><code>${highlight(code, language)}</code></pre>\n`;

/** Shows and downloads example files that begin a list item. Generated files are only downloaded. */
function withFiles(article: string, files: Record<string, string>): string {
  const shown = article.replace(
    /(?<=<li>)<a href="\.\.\/\.\.\/(examples\/[^"]+)">(.*?)<\/a>(.*)/g,
    (_link, path: string, name, rest) => {
      const text = files[path] ?? '';
      const download = `<a href="/guides/${path}" download>Download ${name}</a>`;
      if (path.includes('.generated.')) return `${download}${rest}`;
      const lines = text.trimEnd().split('\n').length;
      return `<details class="file"><summary>${name} <small>${lines} lines</small></summary>
${codeBlock(text.trimEnd(), extname(path).slice(1), { name })}</details>${download}${rest}`;
    },
  );
  return shown.replaceAll('href="../../examples/', 'download href="/guides/examples/');
}

function highlight(text: string, language: string): string {
  const { value } = highlighter.highlight(text, { language }) as { value: string };
  // Isolates strings, so that Arabic does not reorder the code around them.
  const isolated = value.replaceAll('class="hljs-string"', '$& dir="auto"');
  return isolated.replace(marks, '<span class="mark" data-mark="$&"><span>$&</span></span>');
}

const marks = new RegExp(`\\b(?:${[tokenPlaceholder, ...idPlaceholders].join('|')})\\b`, 'g');

function finish(name: string, article: string): string {
  const linked = article
    .replace(/(?:<pre class="program".*?<\/pre>\n)+/gs, programBlock)
    .replace(/<(h[2-6]) id="([^"]*)">(.*)<\/\1>/g, '<$1 id="$2"><a href="#$2">$3</a></$1>')
    .replace(/(?<!<pre[^>]*>)<code>(?=[^<]{29,}<\/code>)/g, '<code class="long">')
    .replaceAll('href="../../schema.graphql"', 'href="/guides/schema"')
    .replace(/href="([\w-]+)\.md/g, 'href="/guides/$1')
    .replace(/<table>.*?<\/table>/gs, nameCells);
  return name === 'errors' ? linked.replace(/<h3 id="(\w+)">[^\n]*<\/h3>\s*(<ul>.*?<\/ul>)/gs, errorDetails) : linked;
}

/** A table that the keyboard can scroll, and whose cells have the names of their columns, for narrow windows. */
function nameCells(table: string): string {
  const columns = [...table.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(([, column = '']) => column.replace(/<[^>]*>/g, ''));
  const rows = table.replace(/<tr>.*?<\/tr>/gs, (row) => {
    let index = 0;
    return row.replace(/<td/g, (cell) => {
      const column = columns[index++];
      return index === 1 || !column || column === 'description' ? cell : `${cell} data-column="${column}"`;
    });
  });
  return rows.replace('<table>', '<table tabindex="0">');
}

/** An error code as an expandable row with its status and cause. The page's script opens the row of the anchor. */
function errorDetails(_text: string, code: string, list: string): string {
  const [, status = ''] = /Status:<\/strong> (.*)<\/li>/.exec(list) ?? [];
  const [, when = ''] = /When:<\/strong> (.*?)<\/li>/s.exec(list) ?? [];
  return `<details class="error" id="${code}"><summary><code>${code}</code> <b>${status}</b>
<span class="when">${when.replace(/<[^>]*>/g, '')}</span></summary>${list}</details>`;
}
