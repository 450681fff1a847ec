import type { Logger } from 'pino';
import type { RequestScope } from '../../kernel/request/scope.ts';
import { redactPath } from '../../kernel/token.ts';

/** A finished request, as its log line, metrics and trace describe it. */
export interface Exchange {
  scope: RequestScope;
  method: string;
  url: string;
  status: number;
  /** Duration in ms. */
  ms: number;
  /** Whether the client left before the end of the response. */
  aborted: boolean;
}

const maxPathLength = 2_000;

/** Writes one line per request, without query string, headers, body and tokens. */
export function logRequest(log: Logger, { scope, method, url, status, ms, aborted }: Exchange): void {
  const { id, locale, endpoint, partner, token, code, statements, databasePeriods, traceId } = scope;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  const sqlMs = databasePeriods.reduce((total, { start, end }) => total + end - start, 0);
  const line = {
    requestId: id,
    req: { method, path: redactPath(url).slice(0, maxPathLength) },
    res: { status },
    ms,
    route: endpoint && endpoint.operation === undefined ? `${method} ${endpoint.route}` : undefined,
    operation: endpoint?.operation,
    locale,
    sql: statements,
    sqlMs: statements > 0 ? Math.round(sqlMs * 100) / 100 : undefined,
    partner,
    token,
    code,
    traceId,
    aborted: aborted || undefined,
  };
  log[level](line, 'request');
}
