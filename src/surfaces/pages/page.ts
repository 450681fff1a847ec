import type { Request, RequestHandler } from 'express';
import type { Html } from '../../kernel/html.ts';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { forbidOtherOrigins } from '../../platform/http/cors.ts';
import { respond } from '../../platform/http/response-cache.ts';
import { findDemoToken } from './demo-token.ts';
import { layout } from './layout.ts';
import { policy } from './policy.ts';
import { textsOf } from './texts.ts';

/** What pages depend on. */
export interface Config {
  databaseUrl: string | undefined;
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
  /** The folder of assets of a tool that uses relative URLs and the direction of the body, which stays left to right. */
  base?: string;
  /** Directives of its content security policy that differ from those of a page that uses this service alone. */
  policy?: Record<string, string>;
}

export type Render = (view: View) => Page;

async function createView(config: Config, path: string, request: Request) {
  const { lang, ...query } = request.query;
  const locale: Locale = lang === 'en' || lang === 'ar' ? lang : currentLocale();
  return {
    config,
    path,
    request,
    locale,
    text: textsOf[locale],
    /** The demo partner's token, if this request may have it: only with the embedded database. */
    token: config.databaseUrl === undefined ? await findDemoToken(config.dataDir, request) : undefined,
    /** This page with other parameters. */
    linkTo: (change: Record<string, string>) =>
      `${path}?${new URLSearchParams({ ...(query as Record<string, string>), lang: locale, ...change })}`,
  };
}

/** Sends pages, which only pages of this service may read. */
export function pageSender(config: Config) {
  return (path: string, render: Render, status = 200): RequestHandler =>
    async (request, response) => {
      const view = await createView(config, path, request);
      const page = render(view);
      const html = layout(view, page).toString();
      const isStorable = view.token === undefined && status === 200;
      forbidOtherOrigins(response);
      response
        .set('Content-Security-Policy', policy(page.policy))
        .set('Content-Language', view.locale)
        // Pages depend on the host and the address of the request.
        .set('Cache-Control', isStorable ? 'private, no-cache' : 'private, no-store')
        .type('html');
      if (status === 200) new CachedResponse(response, html).send(response);
      else respond(response, status, html);
    };
}
