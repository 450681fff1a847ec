import type { Request, RequestHandler } from 'express';
import Negotiator from 'negotiator';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { forbidOtherOrigins } from '../../platform/http/cors.ts';
import type { Assets } from './assets.ts';
import type { FindDemoToken } from './demo-token.ts';
import { type Layout, layout } from './layout.ts';
import { policy } from './policy.ts';
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

export interface Page extends Layout {
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
      const page = render({ request, service, assets, locale, text: textsOf[locale], token });
      const text = layout(assets, locale, page).toString();
      forbidOtherOrigins(response);
      response
        .set('Content-Security-Policy', policy(page.policy))
        .set('Content-Language', locale)
        // Pages depend on the host and the address of the request.
        .set('Cache-Control', token === undefined && status === 200 ? 'private, no-cache' : 'private, no-store')
        .type('html');
      if (status === 200) new CachedResponse(response, text).send(response);
      else response.status(status).send(text);
    };
}

const types = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether a browser requests a page, rather than a client data. */
export function prefersPage({ method, headers: { accept } }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const mayBePage = isRead && accept?.includes('html') === true;
  return mayBePage && new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html';
}
