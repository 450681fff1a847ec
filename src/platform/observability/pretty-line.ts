import { prettyFactory } from 'pino-pretty';

/** What the message of a line about a request says already. */
const told = 'req,res,ms,route,operation,locale,partner,code,sql,traceId,requestId,aborted';

/** Writes log lines for people: of a request one line, of anything else its members too. */
export function createPrettyLine(colorize: boolean): (line: string) => string {
  return prettyFactory({
    colorize,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: told,
    messageFormat: (line) => (line.msg === 'request' ? requestText(line as unknown as RequestLine) : otherText(line)),
  });
}

interface RequestLine {
  req: { method: string; path: string };
  res: { status: number };
  ms: number;
  requestId: string;
  operation?: string;
  partner?: number;
  code?: string;
  sql?: number;
  aborted?: boolean;
}

function requestText({ req, res, ms, requestId, operation, partner, code, sql, aborted }: RequestLine): string {
  return [
    `${req.method} ${req.path} ${res.status} ${ms} ms`,
    operation,
    sql ? `${sql} SQL` : undefined,
    partner === undefined ? undefined : `partner ${partner}`,
    code,
    aborted ? 'aborted' : undefined,
    // Who looks for an error looks for its other lines.
    res.status >= 400 ? requestId : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('  ');
}

function otherText({ msg, requestId }: Record<string, unknown>): string {
  return requestId === undefined ? String(msg) : `${msg}  ${requestId}`;
}
