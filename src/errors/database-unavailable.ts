// Connection lost or refused, shutting down, too many connections, and what our own time-outs end.
const codes =
  /^(08...|57P0[1-3]|53300|57014|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error says that the database cannot be reached now, rather than that the statement was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const { code } = error as NodeJS.ErrnoException;
  return (typeof code === 'string' && codes.test(code)) || messages.test(error.message);
}
