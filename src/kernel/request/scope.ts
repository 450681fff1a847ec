import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '../localization/locale.ts';

/** The surface that a request is for; `none` for an unknown path. */
type Surface = 'graphql' | 'rest' | 'page' | 'probe' | 'none';

/** The endpoint of a request, as its log line, metrics and trace name it. */
export interface Endpoint {
  surface: Surface;
  /** From a fixed set, never a client's words: `/partner_portal/v1/product_tags/:id`, or a GraphQL operation type and root field. */
  route: string;
  /** The operation name that a GraphQL client chose. */
  operation?: string;
}

/** A SQL statement that has ended. */
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

/** Time for all SQL statements of a request together, in ms. */
const databaseTime = 5_000;

/** What errors, log lines, metrics and traces need to know about their request. */
export class RequestScope {
  readonly id: string;
  readonly locale: Locale;
  /** Hash of the request's token; undefined without one of the right form. */
  readonly tokenHash: string | undefined;
  /** When the request's time for the database ends, by performance.now(); set by `startDatabaseTime`. */
  deadline: number | undefined = undefined;
  /** Set once the request is routed. */
  endpoint: Endpoint | undefined = undefined;
  /** The partner's id, if the token was checked. */
  partner: number | undefined = undefined;
  /** Id and label of the partner's token. */
  token: { id: number; label: string | undefined } | undefined = undefined;
  /** Code of the first error: from the catalog, or one of Apollo's. */
  code: string | undefined = undefined;
  /** SQL statements so far, and their total duration in ms. */
  statements = 0;
  databaseTime = 0;
  /** Writes that returned the stored response of an earlier request with the same idempotency key. */
  replays = 0;
  /** W3C trace id. */
  traceId: string | undefined = undefined;
  trace: RequestTrace | undefined = undefined;

  constructor(id: string, locale: Locale, tokenHash?: string) {
    this.id = id;
    this.locale = locale;
    this.tokenHash = tokenHash;
  }

  /** Starts the request's time for the database unless it runs; returns its end, by performance.now(). */
  startDatabaseTime(): number {
    this.deadline ??= performance.now() + databaseTime;
    return this.deadline;
  }
}

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = storage.run.bind(storage);

/** The scope of the current request, for code that no parameter of it reaches; undefined outside of one. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

/** When the current request's time for the database ends, by performance.now(); outside of a request, it begins now. */
export function currentDeadline(): number {
  return currentScope()?.startDatabaseTime() ?? performance.now() + databaseTime;
}
