import { type Html, html } from './html.ts';

// Keys and strings, words of the two languages, variables, numbers: alike enough in JSON and GraphQL.
const tokens =
  /("(?:[^"\\]|\\.)*")(?!\s*:)|("(?:[^"\\]|\\.)*")|\b(query|mutation|fragment|on|true|false|null)\b|(\$\w+)|\b(\d+)\b/g;
const kinds = ['string', 'key', 'word', 'variable', 'number'];

/** A GraphQL document or JSON with its tokens marked; its text stays as it is. */
export function highlight(code: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const [text, ...groups] = match;
    const kind = kinds[groups.findIndex((group) => group !== undefined)] ?? '';
    parts.push(html`${code.slice(end, match.index)}<span class="${kind}">${text}</span>`);
    end = match.index + text.length;
  }
  return html`${parts}${code.slice(end)}`;
}
