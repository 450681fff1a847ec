import type { ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors/app-error.ts';
import type { Refusal } from '../../kernel/errors/refusal.ts';
import type { CountRequest } from '../../platform/http/rate-limit.ts';
import { scopeOf } from '../../platform/http/response.ts';
import { type Caller, selectCaller } from '../partner/tokens/token.queries.ts';
import type { TokenUsage } from '../partner/tokens/token-usage.ts';
import type { ReferenceData } from '../reference/reference-data.ts';
import type { Database } from '../tables.ts';
import { Loaders } from './loaders.ts';

/** Who may read reference data. */
export type ReferenceAccess = 'public' | 'partner';

interface Services {
  db: Database;
  countRequest: CountRequest;
  /** Number of records on a page of a lookup. */
  lookupPageSize: number;
  referenceAccess: ReferenceAccess;
  referenceData: ReferenceData;
  tokenUsage: TokenUsage;
}

/** The context of a request on either API. */
export type RequestContext = ReturnType<typeof createContext>;

export type CreateContext = (response: ServerResponse) => RequestContext;

/** The writes that a list of items counts, beyond the request itself, for the load of its rows. */
export function writesOfItems(count: number): number {
  return Math.floor(count / 100);
}

/** Throws `overloaded` if the client disconnected while its request waited: it would not see the result. */
export function requireClient({ req }: ServerResponse): void {
  if (req.socket.destroyed) throw new AppError('overloaded');
}

/** Creates one context for each request, and stores it on the response. */
export function contextFactory(services: Services): CreateContext {
  return (response: ServerResponse & { context?: RequestContext }) => {
    response.context ??= createContext(response, services);
    return response.context;
  };
}

function createContext(
  response: ServerResponse,
  { db, countRequest, lookupPageSize, referenceAccess, referenceData, tokenUsage }: Services,
) {
  const scope = scopeOf(response);
  let caller: Promise<Caller | undefined> | undefined;

  /** The caller, looked up once for each request; undefined without a live token. */
  function authenticate(): Promise<Caller | undefined> {
    caller ??= findCaller();
    return caller;
  }

  async function findCaller(): Promise<Caller | undefined> {
    requireClient(response);
    const { tokenHash } = scope;
    const [found] = tokenHash === undefined ? [] : await selectCaller(db, { tokenHash });
    if (found !== undefined) tokenUsage.note(found.tokenId);
    scope.partner = found?.partnerId;
    scope.token = found && { id: found.tokenId, label: found.tokenLabel ?? undefined };
    return found;
  }

  /** The caller. Throws `unauthenticated` without a live token. */
  async function requireCaller(): Promise<Caller> {
    const found = await authenticate();
    if (found === undefined) throw new AppError('unauthenticated');
    return found;
  }

  return {
    authenticate,
    requireCaller,
    /** Counts writes against the caller's rate limits, beyond the request itself. Throws `rate_limited`. */
    countWrites: (writes: number): Promise<void> => countRequest(response, 'writes', writes),
    db,
    loaders: new Loaders(db, requireCaller),
    /** Whether a mutation of the document failed; later ones then do not run. */
    hasFailedMutation: false,
    locale: scope.locale,
    lookupPageSize,
    /** `Cache-Control` of reference data: shared caches may store it only if it is public, and revalidate each use. */
    referenceCacheControl: referenceAccess === 'public' ? 'public, no-cache' : 'private, no-cache',
    /** The loaders of reference data: one version throughout the request. */
    reference: referenceData.current,
    /** Data of the request for log, metrics and trace. */
    scope,
    /** Why the last write was rejected. REST renames the fields. */
    refusals: [] as readonly Refusal[],
    /** The HTTP response; its `req` is the request. */
    response,
  };
}
