import type { Logger } from 'pino';
import type { RequestScope } from '../../kernel/request/scope.ts';
import { redactPath } from '../../kernel/token.ts';

export interface Exchange {
  scope: RequestScope;
  method: string;
  url: string;
  status: number;
  code: string | undefined;
  ms: number;
  /** Whether the client left before the response ended. */
  aborted: boolean;
}

/** Leaves out query string, headers, body and tokens, and successful probes. */
export function logRequest(log: Logger, { scope, method, url, status, code, ms, aborted }: Exchange): void {
  const { id, locale, endpoint, partner, token, waitMs, statements, databasePeriods, traceId, writes } = scope;
  const isProbe = endpoint?.surface === 'probe';
  if (isProbe && status < 400) return;
  // A draining replica is not ready, as planned.
  const level = status >= 500 && !isProbe ? 'error' : status >= 400 ? 'warn' : 'info';
  const sqlMs = databasePeriods.reduce((total, { start, end }) => total + end - start, 0);
  const line = {
    requestId: id,
    req: { method, path: redactPath(url) },
    res: { status },
    ms,
    waitMs: Math.round(waitMs) || undefined,
    route: endpoint && endpoint.operation === undefined ? `${method} ${endpoint.route}` : undefined,
    operation: endpoint?.operation,
    locale,
    sql: statements,
    sqlMs: statements > 0 ? Math.round(sqlMs * 100) / 100 : undefined,
    partner,
    token,
    writes: writes.length > 0 ? writes : undefined,
    code,
    traceId,
    aborted: aborted || undefined,
  };
  log[level](line, 'request');
}
