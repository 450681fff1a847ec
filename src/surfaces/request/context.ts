import type { IncomingMessage } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Loaders } from '../../domain/lists/loaders.ts';
import type { VersionCondition } from '../../domain/partner/product-tags/product-tag.service.ts';
import type { Caller, CallerCache, TokenUsage } from '../../domain/partner/tokens/tokens.ts';
import type { ReferenceData } from '../../domain/reference/reference-data.ts';
import type { ReferenceLists } from '../../domain/reference/reference-lists.ts';
import type { Database } from '../../domain/tables.ts';
import { AppError } from '../../kernel/errors/app-error.ts';
import { RequestScope, runInScope, type Write } from '../../kernel/request/scope.ts';
import { Admission, type ConcurrencyLimits } from '../../platform/admission/admission.ts';
import type { CountRequest } from '../../platform/rate-limit/rate-limit.ts';

export type ReferenceAccess = 'public' | 'partner';

interface Services {
  getAddress: (request: IncomingMessage) => string;
  callers: CallerCache;
  concurrencyLimits: ConcurrencyLimits;
  db: Database;
  countRequest: CountRequest;
  log: Logger;
  lookupPageSize: number;
  referenceAccess: ReferenceAccess;
  referenceData: ReferenceData;
  tokenUsage: TokenUsage;
}

/** Creates the context of a request, and runs the later middleware in it. */
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
  /** One version throughout the request. */
  readonly reference: ReferenceLists;
  readonly referenceCacheControl: string;
  // From the headers of a REST request; GraphQL has arguments for both.
  idempotencyKey: string | undefined = undefined;
  versionCondition: VersionCondition = {};
  /** Of the mutations of the document so far. */
  readonly idempotencyKeys = new Set<string>();
  /** Thrown by all mutations of the document after one that threw. */
  skipError: AppError | undefined = undefined;
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

  // Created on first use, because cached responses need neither.
  get admission(): Admission {
    this.#admission ??= new Admission(this.#services.concurrencyLimits, this);
    return this.#admission;
  }

  get loaders(): Loaders {
    this.#loaders ??= new Loaders(this.db, () => this.requireCaller());
    return this.#loaders;
  }

  /** Looks the caller up, once for each request; undefined without a valid token. */
  authenticate(): Promise<Caller | undefined> {
    this.#caller ??= this.#findCaller();
    return this.#caller;
  }

  /** Throws `unauthenticated` without a valid token. */
  async requireCaller(): Promise<Caller> {
    const caller = await this.authenticate();
    if (caller === undefined) throw new AppError('unauthenticated');
    return caller;
  }

  /** Throws `unauthenticated` or `read_only_token`. */
  async requireWriteAccess(): Promise<void> {
    const { access } = await this.requireCaller();
    if (access === 'read_only') throw new AppError('read_only_token');
  }

  /** Throws `rate_limited`. REST has counted its request as the first write. */
  countWrites(writes: number): Promise<void> {
    return this.#services.countRequest(this.response, 'writes', writes);
  }

  /** Records a write for the request's log line, or logs it now if the client disconnected and that line is written. */
  recordWrite(write: Write): void {
    this.writes.push(write);
    const { partner, token, response } = this;
    if (response.closed)
      this.#services.log.info({ partner, token, writes: [write] }, 'write committed after the client disconnected');
  }

  /** Throws `overloaded` if the client disconnected while its request waited. */
  throwIfDisconnected(): void {
    if (this.response.req.socket.destroyed) throw new AppError('overloaded');
  }

  async #findCaller(): Promise<Caller | undefined> {
    this.throwIfDisconnected();
    const caller = this.tokenHash === undefined ? undefined : await this.#services.callers.find(this.tokenHash);
    if (caller !== undefined) this.#services.tokenUsage.record(caller.tokenId);
    this.partner = caller?.partnerId;
    this.company = caller?.companyId;
    this.token = caller && { id: caller.tokenId, label: caller.tokenLabel ?? undefined, access: caller.access };
    return caller;
  }
}
