import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale } from '../../kernel/request/scope.ts';
import { CachedResponse } from '../../platform/http/cached-response.ts';
import { forbidOtherOrigins } from '../../platform/http/cors.ts';
import type { Html } from './html.ts';

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
  return Object.entries({ ...ownFiles, ...more })
    .map((directive) => directive.join(' '))
    .join('; ');
}

/** The language of a page: `?lang=`, else the language of the request. */
export function localeOf({ query: { lang } }: Request): Locale {
  return lang === 'en' || lang === 'ar' ? lang : currentLocale();
}

interface Page {
  html: Html;
  locale: Locale;
  policy?: string;
  /** Whether it contains a token. */
  isSecret?: boolean;
}

/** Sends a page that only pages of this service may read. */
export function sendPage(response: Response, page: Page): void {
  setPageHeaders(response, page);
  new CachedResponse(response, page.html.toString()).send(response);
}

export function setPageHeaders(
  response: Response,
  { locale, policy: csp = policy(), isSecret }: Omit<Page, 'html'>,
): void {
  forbidOtherOrigins(response);
  response
    .set('Content-Security-Policy', csp)
    .set('Content-Language', locale)
    // Pages depend on the host and the address of the request.
    .set('Cache-Control', isSecret ? 'private, no-store' : 'private, no-cache')
    .type('html');
}

const types = ['application/json', 'application/graphql-response+json', 'text/html'];

/** Whether a browser requests a page, rather than a client data. */
export function prefersPage({ method, headers: { accept } }: Request): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return (
    isRead &&
    accept?.includes('html') === true &&
    new Negotiator({ headers: { accept } }).mediaType(types) === 'text/html'
  );
}
