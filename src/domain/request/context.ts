import type { ServerResponse } from 'node:http';
import type { Locale } from '../../kernel/localization/locale.ts';
import { currentLocale, currentScope } from '../../kernel/request/scope.ts';
import { hashToken, parseBearer } from '../../kernel/token.ts';
import type { CountRequest } from '../../platform/http/rate-limit.ts';
import { declarePublic } from '../../platform/http/response-cache.ts';
import { findCaller } from '../partner/tokens/token.queries.ts';
import type { TokenUsage } from '../partner/tokens/token-usage.ts';
import type { ReferenceData, ReferenceSnapshot } from '../reference/reference-data.ts';
import type { Database } from '../tables.ts';
import { Loaders } from './loaders.ts';

/** The partner and company that a request acts for. Every tenant query filters by this company, never by an id from the input. */
export interface Caller {
  tokenId: number;
  partnerId: number;
  companyId: number;
}

/** What travels with a request through resolvers and queries, on both surfaces alike. */
export interface RequestContext {
  /** The caller, undefined without a live token; looked up when first needed, once for each request. */
  authenticate(): Promise<Caller | undefined>;
  /** Counts writes against the caller's rate limits, beyond the request itself. Throws `rate_limited`. */
  countWrites(writes: number): Promise<void>;
  db: Database;
  /** Declares whether the response holds reference data alone, so that every caller gets the same. */
  declarePublic(isPublic: boolean): void;
  /** A header of the request by its lower-case name; undefined when it is missing. */
  header(name: string): string | undefined;
  loaders: Loaders;
  locale: Locale;
  /** Records of a page of a lookup. */
  lookupPageSize: number;
  /** The reference data, in one version throughout the request. */
  reference: ReferenceSnapshot;
  /** Sets a header of the response, whatever its surface. */
  setHeader(name: string, value: string): void;
}

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

  async function authenticate(authorization: string | undefined): Promise<Caller | undefined> {
    const token = parseBearer(authorization);
    const caller = token === undefined ? undefined : await findCaller(db, hashToken(token));
    if (caller === undefined) return undefined;
    tokenUsage.note(caller.tokenId);
    const scope = currentScope();
    if (scope !== undefined) scope.partner = caller.partnerId;
    return caller;
  }

  return (response) => {
    const known = contexts.get(response);
    if (known !== undefined) return known;
    const { headers } = response.req;
    let caller: Promise<Caller | undefined> | undefined;
    const context: RequestContext = {
      authenticate() {
        caller ??= authenticate(headers.authorization);
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
