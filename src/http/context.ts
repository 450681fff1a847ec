import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { RequestContext } from '../request/context.ts';
import { Loaders } from '../request/loaders.ts';
import { currentLocale } from '../request/scope.ts';

export type CreateContext = (request: IncomingMessage) => RequestContext;

/** Makes the context of a request; both surfaces use the same. */
export function contextFactory(db: Database, lookupPageSize: number, log: Logger): CreateContext {
  return (request) => ({
    authorization: request.headers.authorization,
    db,
    loaders: new Loaders(db),
    locale: currentLocale(),
    lookupPageSize,
    log,
  });
}
