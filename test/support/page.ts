/** A block of code of a page: its heading, and its text as a browser copies it. */
export interface Block {
  label: string;
  text: string;
}

/** The blocks of code of a part of a page. */
export function blocksOf(html: string): Block[] {
  const figures = html.matchAll(/<figcaption>(?:<span>)?([^<]*)<?.*?<pre[^>]*><code>([\s\S]*?)<\/code>/g);
  return [...figures].map(([, label = '', code = '']) => ({ label, text: textOf(code) }));
}

/** What the page has put down for its script. */
// biome-ignore lint/suspicious/noExplicitAny: a test says of it what it expects, key by key
export function settingsOf(html: string): any {
  return JSON.parse(/<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)?.[1] ?? '');
}

function textOf(html: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
  return html.replace(/<[^>]*>/g, '').replace(/&([a-z]+|#39);/g, (entity, name) => characters[name] ?? entity);
}
