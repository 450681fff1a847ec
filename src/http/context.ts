import type { IncomingMessage } from 'node:http';
import { authenticate } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import { Loaders } from '../request/loaders.ts';
import { currentLocale } from '../request/scope.ts';

export type CreateContext = (request: IncomingMessage) => RequestContext;

/** Gives each request its one context; both surfaces use the same. */
export function contextFactory(db: Database, lookupPageSize: number): CreateContext {
  const contexts = new WeakMap<IncomingMessage, RequestContext>();
  return (request) => {
    const known = contexts.get(request);
    if (known !== undefined) return known;
    let caller: Promise<Caller | undefined> | undefined;
    const context: RequestContext = {
      authenticate() {
        caller ??= authenticate(db, request.headers.authorization);
        return caller;
      },
      db,
      loaders: new Loaders(db),
      locale: currentLocale(),
      lookupPageSize,
    };
    contexts.set(request, context);
    return context;
  };
}
