import type { ServerResponse } from 'node:http';
import { authenticate } from '../auth/caller.ts';
import type { Database } from '../database/database.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import { Loaders } from '../request/loaders.ts';
import { currentLocale } from '../request/scope.ts';

export type CreateContext = (response: ServerResponse) => RequestContext;

/** Gives each request its one context; both surfaces use the same. */
export function contextFactory(db: Database, lookupPageSize: number): CreateContext {
  const contexts = new WeakMap<ServerResponse, RequestContext>();
  return (response) => {
    const known = contexts.get(response);
    if (known !== undefined) return known;
    const { headers } = response.req;
    let caller: Promise<Caller | undefined> | undefined;
    const context: RequestContext = {
      authenticate() {
        caller ??= authenticate(db, headers.authorization);
        return caller;
      },
      db,
      header(name) {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      loaders: new Loaders(db),
      locale: currentLocale(),
      lookupPageSize,
      setHeader(name, value) {
        response.setHeader(name, value);
      },
    };
    contexts.set(response, context);
    return context;
  };
}
