import { randomUUID } from 'node:crypto';
import { negotiateLocale } from '../../kernel/localization/locale.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import { RequestScope, runInScope } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer, redactTokens } from '../../kernel/token.ts';
import type { Middleware } from './middleware.ts';

// A client's own id is used if it is harmless in a log and no token.
const idPattern = /^[\w.:-]{8,128}$/;
const isAcceptable = (id: string) => idPattern.test(id) && redactTokens(id) === id;

const localeOf = remember(memoryBounds.locales, negotiateLocale);

/** Gives the request its id and locale, adds both to the response's headers, and runs `next` in their scope. */
export const withRequestScope: Middleware = (request, response, next) => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && isAcceptable(given) ? given : randomUUID();
  const accepted = request.headers['accept-language'];
  const locale = accepted === undefined ? 'en' : localeOf(accepted);
  response.headerList?.push('X-Request-Id', id, 'Content-Language', locale, 'Vary', 'Accept-Language');
  const token = parseBearer(request.headers.authorization);
  runInScope(new RequestScope(id, locale, token && hashToken(token)), next);
};
