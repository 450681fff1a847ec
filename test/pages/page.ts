/** The blocks of code of a page, or those with a caption of a name, as a browser copies them. */
export function blocksOf(html: string, name = '\\w*'): string[] {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  const blocks = new RegExp(`<figure class="${name}">.*?<pre[^>]*><code[^>]*>([^<]*)</code>`, 'gs');
  return [...html.matchAll(blocks)].map(([, code = '']) =>
    code.replace(/&([a-z]+|#39);/g, (entity, name) => characters[name] ?? entity),
  );
}

/** What the page has put down for its script. */
// biome-ignore lint/suspicious/noExplicitAny: a test says of it what it expects, key by key
export function settingsOf(html: string): any {
  return JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
}
