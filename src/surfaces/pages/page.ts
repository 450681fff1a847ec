import type { Request, Response } from 'express';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { forbidOtherOrigins } from '../../platform/http/cors.ts';
import type { Html } from './html.ts';

/** Where a page may load from: of itself nothing, of this service its files, and what the page adds. */
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

/** A content security policy: scripts, styles and data of this service, and what `more` adds or puts in their place. */
export function policy(more: Record<string, string> = {}): string {
  return Object.entries({ ...ownFiles, ...more })
    .map((directive) => directive.join(' '))
    .join('; ');
}

/** The language of a page: the one of `?lang=`, else that of the request. */
export function localeOf({ query: { lang } }: Request): Locale {
  return lang === 'en' || lang === 'ar' ? lang : currentLocale();
}

interface About {
  locale: Locale;
  policy: string;
  /** Whether it holds what nobody else may see, or keep. */
  isSecret?: boolean;
}

/** Answers with a page, made for this request. */
export function sendPage(response: Response, { html, ...about }: About & { html: Html }): void {
  setPageHeaders(response, about);
  new CachedResponse(response, html.toString()).send(response);
}

/** Says in the headers what is about to be sent: a page, which no script of another origin may read. */
export function setPageHeaders(response: Response, { locale, policy, isSecret = false }: About): void {
  forbidOtherOrigins(response);
  response
    .set('Content-Security-Policy', policy)
    .set('Content-Language', locale)
    // Its addresses are those by which it was asked for, so it is no other's.
    .set('Cache-Control', isSecret ? 'private, no-store' : 'private, no-cache')
    .type('html');
}
