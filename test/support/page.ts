/** The blocks of code of a page, as a browser copies them. */
export function blocksOf(html: string): string[] {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return [...html.matchAll(/<pre[^>]*><code>([^<]*)<\/code>/g)].map(([, code = '']) =>
    code.replace(/&([a-z]+|#39);/g, (entity, name) => characters[name] ?? entity),
  );
}

/** What the page has put down for its script. */
// biome-ignore lint/suspicious/noExplicitAny: a test says of it what it expects, key by key
export function settingsOf(html: string): any {
  return JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
}
