import type { Locale } from '../../kernel/localization/locale.ts';
import type { Assets } from './assets.ts';
import { type Html, html } from './html.ts';
import { texts } from './text.ts';

interface Layout {
  assets: Assets;
  locale: Locale;
  /** The page's own path, also in the other language. */
  path: string;
  title: string;
  /** What it loads of browser/, besides what all pages do. */
  script: string;
  /** `app` fills the window, `document` is read from top to bottom. */
  kind: 'app' | 'document';
  body: Html;
}

const pages = [
  ['home', '/'],
  ['sandbox', '/graphql'],
  ['explorer', '/explorer'],
  ['rest', '/docs'],
] as const;

/** A page with what all of them have: the way to the others, and to itself in the other language. */
export function layout({ assets, locale, path, title, script, kind, body }: Layout): Html {
  const text = texts[locale];
  const other = locale === 'en' ? 'ar' : 'en';
  return html`<!doctype html>
<html lang="${locale}" dir="${text.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${text.service}</title>
<link rel="icon" href="${icon}">
${(['en', 'ar'] as const).map((each) => html`<link rel="alternate" hreflang="${each}" href="${path}?lang=${each}">\n`)}
${[...assets.styles('page.css'), ...assets.styles(script)].map((file) => html`<link rel="stylesheet" href="${file}">\n`)}
<script type="module" src="${assets.script(script)}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">${text.skip}</a>
<header>
<a class="brand" href="/?lang=${locale}">${mark} ${text.service}</a>
<nav aria-label="${text.nav}">
${pages.map(([name, to]) => html`<a href="${to}?lang=${locale}"${to === path && html` aria-current="page"`}>${text[name]}</a>\n`)}
</nav>
<a class="language" href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${text.otherLanguage}</a>
</header>
<main id="content">
${body}
</main>
</body>
</html>
`;
}

const drawing =
  "<path fill='#0b7a5f' d='M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7V7a7 7 0 0 1 7-7z'/><path fill='none' stroke='#fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round' d='M8 11h12m-4-4 4 4-4 4M24 21H12m4-4-4 4 4 4'/>";
const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${drawing}</svg>`)}`;
const mark = html`<img src="${icon}" alt="" width="26" height="26">`;
