import { AsyncLocalStorage } from 'node:async_hooks';
import type { Locale } from '../localization/locale.ts';
import type { Endpoint } from './endpoint.ts';
import type { RequestTrace } from './trace.ts';

/** What errors, log lines, metrics and traces say of the request they belong to, where no context reaches. */
export interface RequestScope {
  id: string;
  locale: Locale;
  /** When the request must be done with the database, in ms of performance.now(); set as it is first asked for. */
  deadline: number | undefined;
  /** What it asks for, once that is known. */
  endpoint: Endpoint | undefined;
  /** Id of the partner whose live token it has, once looked up. */
  partner: number | undefined;
  /** Of its first error or refusal: a code of the catalog, or one of Apollo's. */
  code: string | undefined;
  /** How many SQL statements were sent for it, and how long they took together, in ms. */
  statements: number;
  databaseTime: number;
  /** Writes that were not done again, as their idempotency key had been used for the same. */
  replays: number;
  /** W3C trace id of the trace that it is part of. */
  traceId: string | undefined;
  trace: RequestTrace | undefined;
}

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = storage.run.bind(storage);

export function createScope(id: string, locale: Locale): RequestScope {
  return {
    id,
    locale,
    deadline: undefined,
    endpoint: undefined,
    partner: undefined,
    code: undefined,
    statements: 0,
    databaseTime: 0,
    replays: 0,
    traceId: undefined,
    trace: undefined,
  };
}

/** The scope of the request being answered; undefined outside of one. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

/** The locale of the request being answered. */
export function currentLocale(): Locale {
  return currentScope()?.locale ?? 'en';
}

/** Notes an error of the request being answered; the first one counts. */
export function noteCode(code: string): void {
  const scope = currentScope();
  if (scope !== undefined) scope.code ??= code;
}

/** Notes what the request being answered asks for. */
export function noteEndpoint(endpoint: Endpoint | undefined): void {
  const scope = currentScope();
  if (scope !== undefined) scope.endpoint = endpoint;
}

/** Notes that a write of the request being answered was not done again, as its idempotency key had been used for it. */
export function noteReplay(): void {
  const scope = currentScope();
  if (scope !== undefined) scope.replays += 1;
}

/** How long a request may take in the database, all its statements together, in ms. */
const databaseTime = 5_000;

/** When the request being answered must be done with the database; undefined outside of one. */
export function currentDeadline(): number | undefined {
  const scope = currentScope();
  if (scope !== undefined) scope.deadline ??= performance.now() + databaseTime;
  return scope?.deadline;
}
