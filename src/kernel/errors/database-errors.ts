export class DatabaseUnavailableError extends Error {}

/** The connection was lost during a commit, so the changes may have been made. */
export class UnknownOutcomeError extends DatabaseUnavailableError {}

export class NotSentError extends DatabaseUnavailableError {}

// Some pg errors have only a message: test/database/faults.pgbouncer.slow.test.ts fails if pg rewords one.
const connectionLostCodes = /^(08...|57P0[1-5]|25P03|ECONNRESET|EPIPE)$/;
const connectionLostMessages = /^(Connection terminated|Client (has encountered a connection error|was closed))/;

// Read-only server, full disk, out of memory or connections, timeout.
const serverFailureCodes = /^(25006|25P04|53...|57014|58...|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether the database cannot serve now, as opposed to rejecting the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const isQueryTimeout = error instanceof Error && error.message === 'Query read timeout';
  const isServerFailing = serverFailureCodes.test(getErrorCode(error)) || isQueryTimeout;
  return error instanceof DatabaseUnavailableError || isConnectionLost(error) || isServerFailing;
}

// ENOTFOUND is left out: it means a wrong name.
const unreachableCodes = /^(ECONNREFUSED|ENOENT|EAI_AGAIN)$/;

/** Whether connecting may succeed later, unlike with a wrong name, password or certificate. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  return unreachableCodes.test(getErrorCode(cause)) || isDatabaseUnavailable(cause);
}

/** PgBouncer reports this only in messages. */
export function isServerFull(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  const { message = '' } = (cause ?? {}) as Partial<Error>;
  return getErrorCode(cause) === '53300' || /^(query_wait_timeout|no more connections allowed)/.test(message);
}

export function isConnectionLost(error: unknown): boolean {
  return (
    connectionLostCodes.test(getErrorCode(error)) ||
    (error instanceof Error && connectionLostMessages.test(error.message))
  );
}

export function isReadOnly(error: unknown): boolean {
  return getErrorCode(error) === '25006';
}

/** Read from the routine, because the message is localized. */
export function isStatementOutdated(error: unknown): boolean {
  return getErrorCode(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/** Serialization failure, deadlock, or an id that a concurrent transaction has used. */
export function isRetryable(error: unknown): boolean {
  const isIdTaken =
    getErrorCode(error) === '23505' && /_pkey$/.test((error as { constraint?: string }).constraint ?? '');
  return isIdTaken || /^(40001|40P01|23P01)$/.test(getErrorCode(error));
}

export function isDatabaseConflict(error: unknown): boolean {
  return isRetryable(error) || getErrorCode(error) === '55P03';
}

export function getErrorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
