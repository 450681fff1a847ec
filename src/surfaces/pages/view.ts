import type { Request } from 'express';
import { type Html, html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { findDemoToken } from './shown-demo-token.ts';
import { formats } from './snippets.ts';
import { textsByLocale } from './texts.ts';

export interface Config {
  demo: boolean;
  dataDir: string;
  introspection: boolean;
  referenceAccess: 'public' | 'partner';
}

export type View = Awaited<ReturnType<typeof createView>>;

export interface Page {
  title: string;
  body: Html;
  /** Fills the window and does not scroll. */
  isApp?: boolean;
  /** Assets in loading order. */
  styles?: string[];
  scripts?: string[];
  csp?: Record<string, string>;
}

const linkParameters = ['api', 'language', 'example', 'as'];

export async function createView(config: Config, path: string, request: Request, requestLocale: Locale) {
  const { lang } = request.query;
  const locale: Locale = lang === 'en' || lang === 'ar' ? lang : requestLocale;
  const chosen = linkParameters.flatMap((name) => {
    const value = request.query[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    config,
    path,
    request,
    locale,
    text: textsByLocale[locale],
    /** The demo partner's, if this request may see it. */
    token: config.demo ? await findDemoToken(config.dataDir, request) : undefined,
    linkTo: (change: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...Object.fromEntries(chosen), lang: locale, ...change })}`,
  };
}

/** The reader's origin, safe in HTML and commands. Behind an untrusted proxy, the page's script corrects the scheme. */
export function getOrigin({ headers: { host = '' }, secure }: Request): string {
  return `${secure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

export const formatOptions: Html = html`${Object.entries(formats).map(
  ([format, name]) => html`<option value="${format}">${name}</option>`,
)}`;

export function tokenField({ text, token }: View, hint?: string): Html {
  return html`<div class="token" hidden>
<label>${text.token}
<input name="token" type="password" form="run" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…"
aria-describedby="token-hint"></label>
<p class="hint" id="token-hint">${hint ?? `${text.tokenHint} ${token === undefined ? '' : text.tokenDemo}`}</p>
</div>`;
}
