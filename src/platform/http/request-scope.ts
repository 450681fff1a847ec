import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { negotiateLocale } from '../../kernel/localization/locale.ts';
import { memoryBounds } from '../../kernel/memory-bounds.ts';
import { remember } from '../../kernel/remember.ts';
import { createScope, type RequestScope, runInScope } from '../../kernel/request/scope.ts';
import { redactTokens } from '../../kernel/token.ts';
import type { Answer } from './answer.ts';
import { hasBody } from './body.ts';

// A caller's own id is taken over where it is harmless in a log, and no token.
const idPattern = /^[\w.:-]{8,128}$/;
const isAcceptable = (id: string) => idPattern.test(id) && redactTokens(id) === id;

// Clients send few different ones.
const localeOf = remember(memoryBounds.locales, negotiateLocale);

/** Gives the request its id and locale, says both in the answer's headers, and runs `next` in their scope. */
export function withRequestScope(request: IncomingMessage, response: Answer, next: () => void): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && isAcceptable(given) ? given : randomUUID();
  const accepted = request.headers['accept-language'];
  const locale = accepted === undefined ? 'en' : localeOf(accepted);
  response.gathered?.push('X-Request-Id', id, 'Content-Language', locale, 'Vary', 'Accept-Language');
  const scope = createScope(id, locale);
  if (hasBody(request)) excludeBodyTime(request, scope);
  runInScope(scope, next);
}

// What a slow client takes to send its body is not the database's.
function excludeBodyTime(request: IncomingMessage, scope: RequestScope): void {
  request.once('resume', () => {
    const start = performance.now();
    request.once('end', () => {
      if (scope.deadline !== undefined) scope.deadline += performance.now() - start;
    });
  });
}
