/** The database could not be reached, or did not respond in time. */
export class DatabaseUnavailableError extends Error {}

/** The connection was lost during the commit, so it is unknown whether the changes were made. */
export class UnknownOutcomeError extends DatabaseUnavailableError {}

/** The time of the request was over before a statement was sent. */
export class NotSentError extends DatabaseUnavailableError {}

// The connection was lost: broken, or closed by an administrator, a crash or a failover. Some pg errors have only a
// message; test/database/faults.pgbouncer.slow.test.ts and test/faults/database.slow.test.ts fail if pg rewords one.
const lostCodes = /^(08...|57P0[1-5]|25P03|ECONNRESET|EPIPE)$/;
const lostMessages = /^(Connection terminated|Client (has encountered a connection error|was closed))/;

// The server cannot serve: it is read-only, lacks disk, memory or connections, its disk fails, or it timed out.
const incapableCodes = /^(25006|25P04|53...|57014|58...|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether the database cannot serve now, as opposed to rejecting the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // pg's query timeout has no code.
  const isTimeout = error instanceof Error && error.message === 'Query read timeout';
  const isIncapable = incapableCodes.test(getErrorCode(error)) || isTimeout;
  return error instanceof DatabaseUnavailableError || isConnectionLost(error) || isIncapable;
}

// Nothing listens at the address or the socket, or the name server is unavailable. ENOTFOUND is a wrong name.
const refusedCodes = /^(ECONNREFUSED|ENOENT|EAI_AGAIN)$/;

/** Whether a connection could not be opened for a reason that may pass, as opposed to a wrong name, password or certificate. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  return refusedCodes.test(getErrorCode(cause)) || isDatabaseUnavailable(cause);
}

/** Whether a connection could not be opened because all are in use. PgBouncer says so in its messages alone. */
export function isServerFull(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailableError ? error.cause : error;
  const { message = '' } = (cause ?? {}) as Partial<Error>;
  return getErrorCode(cause) === '53300' || /^(query_wait_timeout|no more connections allowed)/.test(message);
}

export function isConnectionLost(error: unknown): boolean {
  return lostCodes.test(getErrorCode(error)) || (error instanceof Error && lostMessages.test(error.message));
}

/** Whether the server is read-only, because it is or became a standby. */
export function isReadOnly(error: unknown): boolean {
  return getErrorCode(error) === '25006';
}

/** Whether a prepared statement does not fit its tables any more. The message of the server is localized. */
export function isStatementOutdated(error: unknown): boolean {
  return getErrorCode(error) === '0A000' && (error as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/**
 * Whether the database rolled a transaction back to let another proceed: serialization failure, deadlock, or an id that
 * another one gave to a row of this or another company.
 */
export function isRetryable(error: unknown): boolean {
  const isIdTaken =
    getErrorCode(error) === '23505' && /_pkey$/.test((error as { constraint?: string }).constraint ?? '');
  return isIdTaken || /^(40001|40P01|23P01)$/.test(getErrorCode(error));
}

/** Whether a transaction was rolled back to let another proceed, or waited too long for a lock. */
export function isDatabaseConflict(error: unknown): boolean {
  return isRetryable(error) || getErrorCode(error) === '55P03';
}

/** The SQLSTATE or Node's code of an error; empty without one. */
export function getErrorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
