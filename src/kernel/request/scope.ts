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
      /** Set by `startRequest`. */
      context: RequestScope;
    }
  }
}

/** The endpoint of a request, as its log line, metrics and trace name it. */
export interface Endpoint {
  surface: 'graphql' | 'rest' | 'page' | 'probe';
  /** From a fixed set, never client text: `/partner_portal/v1/countries`, or an operation type and its field. */
  route: string;
  /** The operation name that a GraphQL client chose. */
  operation?: string;
}

export interface SentStatement {
  /** With placeholders in place of values. */
  sql: string;
  /** In ms. */
  duration: number;
  /** Undefined if the statement succeeded. */
  error: unknown;
}

/** The spans of one request; each is the parent of those that start before it ends. */
export interface RequestTrace {
  /** Starts the span of a GraphQL operation; returns the function that ends it. */
  operation(type: string, name: string | undefined): () => void;
  /** Adds the span of a statement. */
  statement(statement: SentStatement): void;
}

/** A mutation that has committed, as the log line names it. */
export interface Write {
  /** The field of `Mutation`. */
  field: string;
  /** Id of the row that it wrote. */
  id: number;
  /** Whether it was an earlier request that wrote, with the same idempotency key. */
  replayed?: boolean;
  /** What else the mutation notes. */
  [detail: string]: unknown;
}

/** Total time for the waits and SQL statements of a request, in ms. */
const timeLimit = 5_000;

/** What the steps of a request leave for each other, and for errors, log lines, metrics and traces. */
export class RequestScope {
  /** The client's address, as rate limits count it. */
  readonly address: string;
  /** The client's `X-Request-Id` if it is safe to log and contains no token, or else a new one. */
  readonly id: string;
  /** The language of `Accept-Language`. */
  readonly locale: Locale;
  /** Hash of the request's token; undefined if it is missing or malformed. */
  readonly tokenHash: string | undefined;
  /** The key of the response in the cache; undefined if it must not be stored. */
  cacheKey: string | undefined = undefined;
  /**
   * Whether the response contains only reference data, so that equal requests get equal responses. The route sets it, or
   * the operation.
   */
  isCacheable = false;
  /** The version of the data that the request reads: another value after each change. */
  dataVersion: unknown = undefined;
  /** The quarter hour of the UTC offsets in the response, if it has any. */
  quarter: number | undefined = undefined;
  /** Deadline of the request's SQL statements and waits, by performance.now(); set by `startDeadline`. */
  deadline: number | undefined = undefined;
  /** Set once the request is routed. */
  endpoint: Endpoint | undefined = undefined;
  /** The partner's id, if the token was checked. */
  partner: number | undefined = undefined;
  /** The id of the partner's company, whose share of the connections to the database the request uses from then on. */
  company: number | undefined = undefined;
  /** Id, label and access of the partner's token. */
  token: { id: number; label: string | undefined; access: string } | undefined = undefined;
  /** Code of the first error: from the catalog, or one of Apollo's. The client may have left before it got it. */
  code: string | undefined = undefined;
  /** How long the request has waited for others, in ms. */
  waitMs = 0;
  /** SQL statements so far, and when they ran, by performance.now(): periods in order, without overlap. */
  statements = 0;
  readonly databasePeriods: { start: number; end: number }[] = [];
  /** What the request wrote, in order. */
  readonly writes: Write[] = [];
  /** W3C trace id. */
  traceId: string | undefined = undefined;
  trace: RequestTrace | undefined = undefined;

  constructor(
    { authorization, 'accept-language': accepted, 'x-request-id': id }: IncomingHttpHeaders,
    address: string,
  ) {
    this.address = address;
    this.id = typeof id === 'string' && isAcceptable(id) ? id : randomUUID();
    this.locale = accepted === undefined ? 'en' : findLocale(accepted);
    const token = parseAuthorization(authorization);
    this.tokenHash = token && hashToken(token);
  }

  /** Sets the deadline at the first wait or statement; returns it. */
  startDeadline(): number {
    this.deadline ??= performance.now() + timeLimit;
    return this.deadline;
  }
}

const idPattern = /^[\w.:-]{8,128}$/;
const isAcceptable = (id: string) => idPattern.test(id) && redactTokens(id) === id;

const findLocale = memoize(memoryBounds.locales, negotiateLocale);

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = storage.run.bind(storage);

/** The current request's scope, for code that gets no context; undefined outside of a request. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

/** The deadline of the current request's SQL statements; outside of a request, counted from now. */
export function currentDeadline(): number {
  return currentScope()?.startDeadline() ?? performance.now() + timeLimit;
}
