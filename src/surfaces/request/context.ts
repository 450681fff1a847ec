import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Loaders } from '../../domain/lists/loaders.ts';
import type { VersionCondition } from '../../domain/partner/product-tags/product-tag.service.ts';
import type { CallerCache } from '../../domain/partner/tokens/caller-cache.ts';
import type { Caller, TokenUsage } from '../../domain/partner/tokens/tokens.ts';
import type { ReferenceData } from '../../domain/reference/reference-data.ts';
import type { ReferenceLists } from '../../domain/reference/reference-lists.ts';
import type { Database } from '../../domain/tables.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { RequestScope, runInScope, type Write } from '../../kernel/request/scope.ts';
import { Admission, type Capacity } from '../../platform/admission/admission.ts';
import type { CountRequest } from '../../platform/rate-limit/rate-limit.ts';

export type ReferenceAccess = 'public' | 'partner';

interface Services {
  /** The client's address of a request, as rate limits count it. */
  getAddress: (request: IncomingMessage) => string;
  callers: CallerCache;
  capacity: Capacity;
  db: Database;
  countRequest: CountRequest;
  log: Logger;
  /** Number of records on a page of a lookup. */
  lookupPageSize: number;
  referenceAccess: ReferenceAccess;
  referenceData: ReferenceData;
  tokenUsage: TokenUsage;
}

/** Makes the context of a request, and runs the later steps in it. */
export function startRequest(services: Services): RequestHandler {
  return (_request, response, next) => {
    response.locals.context = new RequestContext(response, services);
    runInScope(response.locals.context, next);
  };
}

export function getContext({ locals }: Response): RequestContext {
  return locals.context as RequestContext;
}

/** The context of a request on either API. */
export class RequestContext extends RequestScope {
  readonly db: Database;
  readonly lookupPageSize: number;
  /** The reference data: one version throughout the request. */
  readonly reference: ReferenceLists;
  /** `Cache-Control` of reference data: shared caches may store it only if it is public, and revalidate each use. */
  readonly referenceCacheControl: string;
  /** From the headers of a REST request. GraphQL has arguments for both. */
  idempotencyKey: string | undefined = undefined;
  versionCondition: VersionCondition = {};
  /** The keys of the creations of the GraphQL document: each must have its own. */
  readonly idempotencyKeys = new Set<string>();
  /** What all later mutations of the document throw, once one of them has failed without a validation error in its payload. */
  skipError: AppError | undefined = undefined;
  /** The HTTP response; its `req` is the request. */
  readonly response: Response;
  readonly #services: Services;
  #admission: Admission | undefined;
  #caller: Promise<Caller | undefined> | undefined;
  #loaders: Loaders | undefined;

  constructor(response: Response, services: Services) {
    super(response.req.headers, services.getAddress(response.req));
    this.db = services.db;
    this.lookupPageSize = services.lookupPageSize;
    this.reference = services.referenceData.current;
    this.dataVersion = this.reference;
    this.referenceCacheControl = services.referenceAccess === 'public' ? 'public, no-cache' : 'private, no-cache';
    this.response = response;
    this.#services = services;
  }

  // Both are made on first use: a cached response needs none, and garbage collection shows in its time.
  get admission(): Admission {
    this.#admission ??= new Admission(this.#services.capacity, this);
    return this.#admission;
  }

  get loaders(): Loaders {
    this.#loaders ??= new Loaders(this.db, () => this.requireCaller());
    return this.#loaders;
  }

  /** The caller, looked up once for each request; undefined without a live token. */
  authenticate(): Promise<Caller | undefined> {
    this.#caller ??= this.#findCaller();
    return this.#caller;
  }

  /** The caller. Throws `unauthenticated` without a live token. */
  async requireCaller(): Promise<Caller> {
    const found = await this.authenticate();
    if (found === undefined) throw new AppError('unauthenticated');
    return found;
  }

  /** Throws `unauthenticated` without a live token, and `read_only_token` with one that only reads. */
  async requireWriter(): Promise<void> {
    const { access } = await this.requireCaller();
    if (access === 'read_only') throw new AppError('read_only_token');
  }

  /** Counts writes against the caller's rate limits. REST has counted its request as the first. Throws `rate_limited`. */
  countWrites(writes: number): Promise<void> {
    return this.#services.countRequest(this.response, 'writes', writes);
  }

  /** Records a write for the log line of the request. If that is already written because the client has left, the write gets its own line. */
  recordWrite(write: Write): void {
    this.writes.push(write);
    const { partner, token, response } = this;
    if (response.closed) this.#services.log.info({ partner, token, writes: [write] }, 'written after the client left');
  }

  /** Throws `overloaded` if the client disconnected while its request waited: it would not see the result. */
  requireClient(): void {
    if (this.response.req.socket.destroyed) throw new AppError('overloaded');
  }

  async #findCaller(): Promise<Caller | undefined> {
    this.requireClient();
    const found = this.tokenHash === undefined ? undefined : await this.#services.callers.find(this.tokenHash);
    if (found !== undefined) this.#services.tokenUsage.record(found.tokenId);
    this.partner = found?.partnerId;
    this.company = found?.companyId;
    this.token = found && { id: found.tokenId, label: found.tokenLabel ?? undefined, access: found.access };
    return found;
  }
}
