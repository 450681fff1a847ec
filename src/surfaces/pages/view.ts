import type { Request } from 'express';
import { type Html, html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { findDemoToken } from './demo-token.ts';
import { textsOf } from './texts.ts';

/** What pages depend on. */
export interface Config {
  demo: boolean;
  dataDir: string;
  introspection: boolean;
  referenceAccess: 'public' | 'partner';
}

/** The request of a page, and what it decides. */
export type View = Awaited<ReturnType<typeof createView>>;

export interface Page {
  title: string;
  body: Html;
  /** Whether it fills the window and does not scroll. */
  isApp?: boolean;
  /** Names of assets, in the order of loading. */
  styles?: string[];
  scripts?: string[];
  /** Directives of its content security policy that differ from those of a page that uses this service alone. */
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
    text: textsOf[locale],
    /** The demo partner's token, if this request may have it. */
    token: config.demo ? await findDemoToken(config.dataDir, request) : undefined,
    /** This page with other parameters. */
    linkTo: (change: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...Object.fromEntries(chosen), lang: locale, ...change })}`,
  };
}

/** The address that the reader used. A proxy that is not trusted may change its scheme: the page's script corrects it. */
export function originOf({ headers: { host = '' }, protocol }: Request): string {
  return `${protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`;
}

/** A field for the caller's token, which the page's script keeps in the browser. Without one, the demo partner's is used. */
export function tokenField({ text, token }: View): Html {
  return html`<div class="token" hidden>
<label>${text.token}
<input name="token" type="password" form="run" autocomplete="off" spellcheck="false" dir="ltr" placeholder="pp_…" aria-describedby="token-hint"></label>
<p class="hint" id="token-hint">${text.tokenHint} ${token !== undefined && text.tokenDemo}</p>
</div>`;
}
