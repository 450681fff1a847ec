import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Locale, negotiateLocale } from '../localization/locale.ts';
import { memoize } from '../memoize.ts';
import { memoryBounds } from '../memory-bounds.ts';
import { hashToken, parseAuthorization, redactTokens } from '../token.ts';

declare global {
  namespace Express {
    interface Locals {
      context: RequestScope;
    }
  }
}

export interface Endpoint {
  surface: 'graphql' | 'rest' | 'page' | 'probe';
  /** Never client text: `/partner_portal/v1/countries`, or an operation type and its field. */
  route: string;
  operation?: string;
}

export interface SentStatement {
  sql: string;
  duration: number;
  error: unknown;
}

export interface RequestTrace {
  operation(type: string, name: string | undefined): () => void;
  statement(statement: SentStatement): void;
}

export interface Write {
  field: string;
  id: number;
  replayed?: boolean;
  [detail: string]: unknown;
}

const timeLimitMs = 5_000;

export class RequestScope {
  readonly address: string;
  /** `X-Request-Id` if it is safe to log and contains no token, else a new one. */
  readonly id: string;
  readonly locale: Locale;
  readonly tokenHash: string | undefined;
  cacheKey: string | undefined = undefined;
  /** Whether the response contains only reference data, so that equal requests get equal responses. */
  isCacheable = false;
  /** The reference data that the request reads, compared by identity. */
  dataVersion: unknown = undefined;
  quarterHour: number | undefined = undefined;
  /** By performance.now(); set by the first wait or statement. */
  deadline: number | undefined = undefined;
  endpoint: Endpoint | undefined = undefined;
  partner: number | undefined = undefined;
  /** The request uses this company's share of the connection pool. */
  company: number | undefined = undefined;
  token: { id: number; label: string | undefined; access: string } | undefined = undefined;
  /** From the catalog or one of Apollo's. The client may have left before it got it. */
  code: string | undefined = undefined;
  waitMs = 0;
  statements = 0;
  /** When statements ran, by performance.now(): in order, without overlap. */
  readonly databasePeriods: { start: number; end: number }[] = [];
  readonly writes: Write[] = [];
  traceId: string | undefined = undefined;
  trace: RequestTrace | undefined = undefined;

  constructor(
    { authorization, 'accept-language': accepted, 'x-request-id': id }: IncomingHttpHeaders,
    address: string,
  ) {
    this.address = address;
    this.id = typeof id === 'string' && isSafeId(id) ? id : randomUUID();
    this.locale = accepted === undefined ? 'en' : findLocale(accepted);
    const token = parseAuthorization(authorization);
    this.tokenHash = token && hashToken(token);
  }

  startDeadline(): number {
    this.deadline ??= performance.now() + timeLimitMs;
    return this.deadline;
  }
}

const idPattern = /^[\w.:-]{8,128}$/;
const isSafeId = (id: string) => idPattern.test(id) && redactTokens(id) === id;

const findLocale = memoize(memoryBounds.locales, negotiateLocale);

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = storage.run.bind(storage);

/** For code that gets no context. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

/** Counted from now outside of a request. */
export function currentDeadline(): number {
  return currentScope()?.startDeadline() ?? performance.now() + timeLimitMs;
}
