/** The database could not be reached, or did not respond in time. */
export class DatabaseUnavailableError extends Error {}

// The connection is gone: broken, or ended by an administrator, a crash or a failover. Some errors of pg have only a message:
// test/database/faults.test.ts and test/faults/database.test.ts notice another wording.
const lostCodes = /^(08...|57P0[1-5]|25P03|ECONNRESET|EPIPE)$/;
const lostMessages = /^(Connection terminated|Client (has encountered a connection error|was closed))/;

// The server cannot serve: it is read-only, lacks disk, memory or connections, its disk fails, or it timed out.
const incapableCodes = /^(25006|25P04|53...|57014|58...|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether an error says that the database cannot serve now, rather than that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const isIncapable = incapableCodes.test(codeOf(error)) || isLate(error);
  return error instanceof DatabaseUnavailableError || isConnectionLost(error) || isIncapable;
}

/** Whether an error says that there was no response in time. */
function isLate(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether an error says that the connection was there and is gone. */
export function isConnectionLost(error: unknown): boolean {
  return lostCodes.test(codeOf(error)) || (error instanceof Error && lostMessages.test(error.message));
}

/** Whether an error says that the server is a standby, or has become one: it is read-only. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** Whether the database rolled a transaction back in favour of another (serialization failure, deadlock). */
export function isGivenUp(error: unknown): boolean {
  return /^40(001|P01)$/.test(codeOf(error));
}

/** Whether a transaction was rolled back in favour of another, or did not get a lock in time. */
export function isDatabaseConflict(error: unknown): boolean {
  return isGivenUp(error) || codeOf(error) === '55P03';
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
