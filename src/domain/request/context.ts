import type { ServerResponse } from 'node:http';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
import type { CountRequest } from '../../platform/http/rate-limit.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { findCaller } from '../partner/tokens/token.queries.ts';
import type { TokenUsage } from '../partner/tokens/token-usage.ts';
import type { ReferenceData } from '../reference/reference-data.ts';
import type { Database } from '../tables.ts';
import { Loaders } from './loaders.ts';

/** The partner and company that a request acts for. Every tenant query filters by this company, never by an id from the input. */
export interface Caller {
  tokenId: number;
  partnerId: number;
  companyId: number;
}

interface Parts {
  db: Database;
  countRequest: CountRequest;
  /** Records of a page of a lookup. */
  lookupPageSize: number;
  referenceData: ReferenceData;
  tokenUsage: TokenUsage;
}

/** What travels with a request through resolvers and queries, on both surfaces alike. */
export type RequestContext = ReturnType<typeof createContext>;

export type CreateContext = (response: ServerResponse) => RequestContext;

/** Gives each request its one context; both surfaces use the same. */
export function contextFactory(parts: Parts): CreateContext {
  const contexts = new WeakMap<ServerResponse, RequestContext>();
  return (response) => {
    const context = contexts.get(response) ?? createContext(response, parts);
    contexts.set(response, context);
    return context;
  };
}

function createContext(
  response: ServerResponse,
  { db, countRequest, lookupPageSize, referenceData, tokenUsage }: Parts,
) {
  const { headers } = response.req;
  let caller: Promise<Caller | undefined> | undefined;
  return {
    /** The caller, undefined without a live token; looked up when first needed, once for each request. */
    authenticate(): Promise<Caller | undefined> {
      caller ??= authenticate(db, headers.authorization, tokenUsage);
      return caller;
    },
    /** Counts writes against the caller's rate limits, beyond the request itself. Throws `rate_limited`. */
    countWrites: (writes: number): Promise<void> => countRequest(response, 'writes', writes),
    db,
    /** Declares whether the response holds reference data alone, so that every caller gets the same. */
    declarePublic: (isPublic: boolean): void => declarePublic(response, isPublic),
    /** A header of the request by its lower-case name; undefined when it is missing. */
    header(name: string): string | undefined {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    loaders: new Loaders(db),
    locale: currentLocale(),
    lookupPageSize,
    /** The reference lists, in one version throughout the request. */
    reference: referenceData.current,
    /** Sets a header of the response, whatever its surface. */
    setHeader(name: string, value: string): void {
      response.setHeader(name, value);
    },
  };
}

async function authenticate(
  db: Database,
  authorization: string | undefined,
  tokenUsage: TokenUsage,
): Promise<Caller | undefined> {
  const token = parseBearer(authorization);
  const caller = token === undefined ? undefined : await findCaller(db, hashToken(token));
  if (caller === undefined) return undefined;
  tokenUsage.note(caller.tokenId);
  const scope = currentScope();
  if (scope !== undefined) scope.partner = caller.partnerId;
  return caller;
}
