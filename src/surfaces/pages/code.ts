import type { Locale } from '../../kernel/localization/locale.ts';
import { highlight } from './highlight.ts';
import { Html, html } from './html.ts';
import { texts } from './text.ts';

/** Longer lists are shown by so many entries of theirs. */
const shown = 2;

/** A block of code with a button that copies it, always from left to right. */
export function codeBlock(locale: Locale, label: string, code: string | Html, { copyable = true } = {}): Html {
  const { copy, copied } = texts[locale];
  const button =
    copyable && html`<button type="button" hidden data-copied="${copied}" aria-live="polite">${copy}</button>`;
  return html`<figure${copyable && html` data-copyable`}><figcaption>${label}${button}</figcaption><pre dir="ltr" tabindex="0" aria-label="${label}"><code>${code instanceof Html ? code : highlight(code)}</code></pre></figure>`;
}

/** JSON as a block shows it: of a long list of records the first, and how many more there are. */
export function abridge(value: unknown, locale: Locale): string {
  const { more } = texts[locale];
  const text = JSON.stringify(
    value,
    (_key, each) =>
      Array.isArray(each) && each.length > shown + 1 && typeof each[0] === 'object'
        ? [...each.slice(0, shown), more(each.length - shown)]
        : each,
    2,
  );
  // What is left out is said, not quoted, and short lists of ids take one line.
  return text
    .replace(/"(… [^"]*)"/g, '$1')
    .replace(/\[\s+([\d,\s]+?)\s+\]/g, (_list, ids: string) => `[${ids.replace(/\s+/g, ' ')}]`);
}

/** A curl command for the service at `origin`, for a POSIX shell; a token is taken from its variable TOKEN. */
export function curl(
  url: Html,
  {
    method = 'GET',
    language,
    body,
    needsToken = false,
  }: { method?: string; language?: string; body?: object | undefined; needsToken?: boolean },
): Html {
  const json = body && JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return html`curl -s${method !== 'GET' && method !== 'POST' && ` -X ${method}`} '${url}'${language !== undefined && ` \\\n  -H 'Accept-Language: ${language}'`}${needsToken && ' \\\n  -H "Authorization: Bearer $TOKEN"'}${
    json !== undefined &&
    html` \\
  -H 'Content-Type: application/json' \\
  -d '${json}'`
  }`;
}
