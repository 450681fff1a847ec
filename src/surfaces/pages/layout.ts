import { type Html, html } from '../../kernel/html.ts';
import { version } from '../../kernel/package.ts';
import { assetUrl } from './assets.ts';
import type { Page, View } from './view.ts';

const pages = [
  ['home', '/'],
  ['explorer', '/explorer'],
  ['sandbox', '/graphql'],
  ['rest', '/docs'],
  ['guides', '/guides'],
] as const;

export function layout({ linkTo, locale, path, text }: View, page: Page): Html {
  const { title, body, isApp = false, styles = [], scripts = [] } = page;
  const other = locale === 'en' ? 'ar' : 'en';
  const isCurrent = (to: string) => path === to || path.startsWith(`${to}/`);
  const footer = html`<footer>
<span>${text.version} <bdi>${version}</bdi></span>
<a href="/readyz" data-ready="${text.available}" data-unavailable="${text.unavailable}">${text.status}</a>
</footer>`;
  return html`<!doctype html>
<html lang="${locale}" dir="${text.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${text.service}</title>
<link rel="icon" href="${icon}">
${[...styles, 'page.css'].map((name) => html`<link rel="stylesheet" href="${assetUrl(name)}">\n`)}
</head>
<body class="${isApp ? 'app' : 'document'}">
<a class="skip" href="#content">${text.skip}</a>
<header>
<a class="brand" href="/?lang=${locale}"><img src="${icon}" alt="" width="26" height="26"> ${text.service}</a>
<nav aria-label="${text.nav}">
${pages.map(
  ([name, to]) => html`<a href="${to}?lang=${locale}"
${isCurrent(to) && html` aria-current="page"`}>${text[name]}</a>\n`,
)}
</nav>
<a class="language" href="${linkTo({ lang: other })}" lang="${other}" hreflang="${other}">${text.otherLanguage}</a>
</header>
<main id="content" tabindex="-1">
${body}
</main>
<p class="hidden" id="announcement" role="status"></p>
${!isApp && footer}
${['page.js', ...scripts].map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}
</body>
</html>
`;
}

const drawing =
  "<path fill='#0b7a5f' d='M7 0h18a7 7 0 0 1 7 7v18a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7V7a7 7 0 0 1 7-7z'/>" +
  "<path fill='none' stroke='#fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round' " +
  "d='M8 11h12m-4-4 4 4-4 4M24 21H12m4-4-4 4 4 4'/>";
const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${drawing}</svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`;
