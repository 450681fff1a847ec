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

/** The request of a page, and what it decides. */
export interface View {
  request: Request;
  assets: Assets;
  locale: Locale;
  text: Texts;
  /** The demo partner's token, if this request may have it. */
  token: string | undefined;
}

export interface Page extends Layout {
  /** In place of the policy of a page that uses this service alone. */
  policy?: string;
}

export type SendPage = (render: (view: View) => Page, status?: number) => RequestHandler;

/** Sends pages, which only pages of this service may read. */
export function pageSender(assets: Assets, findDemoToken: FindDemoToken): SendPage {
  return (render, status = 200) =>
    async (request, response) => {
      const { lang } = request.query;
      const locale = lang === 'en' || lang === 'ar' ? lang : currentLocale();
      const token = await findDemoToken(request);
      const page = render({ request, assets, locale, text: textsOf[locale], token });
      const text = layout(assets, locale, page).toString();
      forbidOtherOrigins(response);
      response
        .set('Content-Security-Policy', page.policy ?? policy())
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

/** The headers that a page sends with its requests. */
export function sharedHeaders(locale: Locale, token: string | undefined): Record<string, string> {
  return { 'Accept-Language': locale, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
}
