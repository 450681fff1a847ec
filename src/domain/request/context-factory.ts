import type { ServerResponse } from 'node:http';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import type { CountRequest } from '../../platform/http/rate-limit.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import type { TokenUsage } from '../partner/tokens/token-usage.ts';
import type { ReferenceData } from '../reference/reference-data.ts';
import type { Database } from '../tables.ts';
import { authenticate } from './caller.ts';
import type { Caller, RequestContext } from './context.ts';
import { Loaders } from './loaders.ts';

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
