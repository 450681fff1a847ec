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

/** The request of a page and the values derived from it. */
export type View = Awaited<ReturnType<typeof createView>>;

export interface Page {
  title: string;
  body: Html;
  /** Whether the page fills the window and does not scroll. */
  isApp?: boolean;
  /** Names of assets in loading order. */
  styles?: string[];
  scripts?: string[];
  /** Directives to add to the content security policy, or to replace. */
  csp?: Record<string, string>;
}

/** The parameters that links copy. */
const parameters = ['api', 'language', 'example', 'as'];

export async function createView(config: Config, path: string, request: Request, requestLocale: Locale) {
  const { lang } = request.query;
  const locale: Locale = lang === 'en' || lang === 'ar' ? lang : requestLocale;
  const chosen = parameters.flatMap((name) => {
    const value = request.query[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    config,
    path,
    request,
    locale,
    text: textsByLocale[locale],
    /** The demo partner's token, if this request may see it. */
    token: config.demo ? await findDemoToken(config.dataDir, request) : undefined,
    /** The URL of this page with changed parameters. */
    linkTo: (change: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...Object.fromEntries(chosen), lang: locale, ...change })}`,
  };
}

/**
 * The origin that the reader used. Behind an untrusted proxy, its scheme may differ; the page's script corrects it. Safe
 * in HTML and in commands, because both parts are checked: proxies may pass on any `X-Forwarded-Proto`.
 */
export function getOrigin({ headers: { host = '' }, secure }: Request): string {
  return `${secure ? 'https' : 'http'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

/** The languages of requests as options of a choice. */
export const formatOptions: Html = html`${Object.entries(formats).map(
  ([format, name]) => html`<option value="${format}">${name}</option>`,
)}`;

/** A field for the caller's token, which the page's script stores in the browser. The default is the demo token. */
export function tokenField({ text, token }: View, hint?: string): Html {
  return html`<div class="token" hidden>
<label>${text.token}
<input name="token" type="password" form="run" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…"
aria-describedby="token-hint"></label>
<p class="hint" id="token-hint">${hint ?? `${text.tokenHint} ${token === undefined ? '' : text.tokenDemo}`}</p>
</div>`;
}
