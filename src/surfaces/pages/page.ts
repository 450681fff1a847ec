import type { Request, RequestHandler } from 'express';
import Negotiator from 'negotiator';
import type { Html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { forbidOtherOrigins } from '../../platform/http/cors.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { layout } from './layout.ts';
import { type Texts, textsOf } from './texts.ts';

/** What pages show of the service's configuration. */
export interface Service {
  /** Whether reference data needs a token, too. */
  isClosed: boolean;
  isEmbedded: boolean;
  hasSchema: boolean;
}

/** The request of a page, and what it decides. */
export interface View {
  request: Request;
  service: Service;
  assets: Assets;
  locale: Locale;
  text: Texts;
  /** The demo partner's token, if this request may have it. */
  token: string | undefined;
}

export interface Page {
  /** The page's own path and query, without `lang`. */
  path: string;
  title: string;
  /** `app` fills the window; `document` scrolls. */
  kind: 'app' | 'document';
  body: Html;
  /** Data for the page's scripts. */
  settings?: object;
  /** Names of assets, in the order of loading. */
  styles?: string[];
  scripts?: string[];
  /** The URL of a script that the page's own scripts use. */
  library?: string;
  /** The folder of assets of a tool that uses relative URLs and the direction of the body, which stays left to right. */
  base?: string;
  /** Directives of its content security policy that differ from those of a page that uses this service alone. */
  policy?: Record<string, string>;
}

export type Render = (view: View) => Page;

/** Sends pages, which only pages of this service may read. */
export function pageSender(assets: Assets, service: Service, findDemoToken: FindDemoToken) {
  return (render: Render, status = 200): RequestHandler =>
    async (request, response) => {
      const { lang } = request.query;
      const locale = lang === 'en' || lang === 'ar' ? lang : currentLocale();
      const token = await findDemoToken(request);
      const view = { request, service, assets, locale, text: textsOf[locale], token };
      const page = render(view);
      const html = layout(view, page).toString();
      forbidOtherOrigins(response);
      response
        .set('Content-Security-Policy', policy(page.policy))
        .set('Content-Language', locale)
        // Pages depend on the host and the address of the request.
        .set('Cache-Control', token === undefined && status === 200 ? 'private, no-cache' : 'private, no-store')
        .type('html');
      if (status === 200) new CachedResponse(response, html).send(response);
      else response.status(status).send(html);
    };
}

const ownFiles: Record<string, string> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** A content security policy: scripts, styles and data of this service; `more` adds or replaces directives. */
export function policy(more: Record<string, string> = {}): string {
  const directives = Object.entries({ ...ownFiles, ...more });
  return directives.map((directive) => directive.join(' ')).join('; ');
}

const types = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether a browser requests a page, rather than a client data. */
export function prefersPage({ method, headers: { accept } }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const mayBePage = isRead && accept?.includes('html') === true;
  return mayBePage && new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html';
}
