import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { RequestContext } from '../request/context.ts';
import { Loaders } from '../request/loaders.ts';
import { currentLocale } from '../request/scope.ts';

export type CreateContext = (request: IncomingMessage) => RequestContext;

/** Gives each request its one context; both surfaces use the same. */
export function contextFactory(db: Database, lookupPageSize: number, log: Logger): CreateContext {
  const contexts = new WeakMap<IncomingMessage, RequestContext>();
  return (request) => {
    const known = contexts.get(request);
    if (known !== undefined) return known;
    const context = {
      authorization: request.headers.authorization,
      db,
      loaders: new Loaders(db),
      locale: currentLocale(),
      lookupPageSize,
      log,
    };
    contexts.set(request, context);
    return context;
  };
}
