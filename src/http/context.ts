import type { ServerResponse } from 'node:http';
import { authenticate } from '../auth/caller.ts';
import type { TokenUsage } from '../auth/token-usage.ts';
import type { Database } from '../database/database.ts';
import type { ReferenceData } from '../reference-data/reference-data.ts';
import type { Caller, RequestContext } from '../request/context.ts';
import { Loaders } from '../request/loaders.ts';
import { currentLocale, currentScope } from '../request/scope.ts';
import { declarePublic } from './answer-cache.ts';
import type { CountRequest } from './rate-limit.ts';

export type CreateContext = (response: ServerResponse) => RequestContext;

interface Parts {
  db: Database;
  countRequest: CountRequest;
  lookupPageSize: number;
  referenceData: ReferenceData;
  tokenUsage: TokenUsage;
}

/** Gives each request its one context; both surfaces use the same. */
export function contextFactory({ db, countRequest, lookupPageSize, referenceData, tokenUsage }: Parts): CreateContext {
  const contexts = new WeakMap<ServerResponse, RequestContext>();

  async function findCaller(authorization: string | undefined): Promise<Caller | undefined> {
    const caller = await authenticate(db, authorization);
    if (caller !== undefined) {
      tokenUsage.note(caller.tokenId);
      const scope = currentScope();
      if (scope !== undefined) scope.partner = caller.partnerId;
    }
    return caller;
  }

  return (response) => {
    const known = contexts.get(response);
    if (known !== undefined) return known;
    const { headers } = response.req;
    let caller: Promise<Caller | undefined> | undefined;
    const context: RequestContext = {
      authenticate() {
        caller ??= findCaller(headers.authorization);
        return caller;
      },
      countWrites: (writes) => countRequest(response, 'writes', writes),
      db,
      header(name) {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      loaders: new Loaders(db),
      locale: currentLocale(),
      lookupPageSize,
      declarePublic: (isPublic) => declarePublic(response, isPublic),
      reference: referenceData.current,
      setHeader(name, value) {
        response.setHeader(name, value);
      },
    };
    contexts.set(response, context);
    return context;
  };
}
