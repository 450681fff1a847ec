/** The code blocks of a page, optionally only those with this caption, as a browser copies them. */
export function findBlocks(html: string, name = '\\w*'): string[] {
  const blocks = new RegExp(`<figure class="${name}">.*?<pre[^>]*><code[^>]*>([^<]*)</code>`, 'gs');
  return [...html.matchAll(blocks)].map(([, code = '']) => toText(code));
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#x27': "'" };

/** The text that HTML stands for. */
export const toText = (html: string) =>
  html.replace(/&([a-z]+|#39|#x27);/g, (entity, name) => characters[name] ?? entity);

/** The settings in the page for its scripts. */
// biome-ignore lint/suspicious/noExplicitAny: tests check it key by key
export function parseSettings(html: string): any {
  return JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
}
