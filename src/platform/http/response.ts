import { ServerResponse } from 'node:http';

/** What browsers need to know of every response, names and values in turn; a page replaces the policy with its own. */
export const securityHeaders: readonly string[] = [
  ...['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ...['Cross-Origin-Opener-Policy', 'same-origin'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  // Other hosts of the domain decide for themselves.
  ...['Strict-Transport-Security', 'max-age=31536000'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['X-Frame-Options', 'SAMEORIGIN'],
];

/**
 * A response before Express. Setting some twenty headers one by one takes longer than everything else that a cached response
 * needs, so the steps before Express collect theirs in a list, which one `writeHead` sends.
 */
export class GatewayResponse extends ServerResponse {
  /** Names and values in turn, as `writeHead` takes them; undefined once they are set as ordinary headers. */
  headerList: string[] | undefined = securityHeaders.slice();
}

type Response = ServerResponse & Partial<Pick<GatewayResponse, 'headerList'>>;

/** Bytes, or a text with one byte in each character (latin1). */
export type Body = Buffer | string;

/** Node sends a text up to this many bytes together with its headers in one write, which is cheaper than two pieces. */
const longestText = 8 * 1_024;

/** The form in which bytes that are sent often are sent fastest. */
export function bodyOf(bytes: Buffer): Body {
  return bytes.length <= longestText ? bytes.toString('latin1') : bytes;
}

/** Adds a header, or another value of it. */
export function addHeader(response: Response, name: string, value: string): void {
  if (response.headerList === undefined) response.appendHeader(name, value);
  else response.headerList.push(name, value);
}

/** Sets the headers of the list as ordinary ones, for Express. */
export function settleHeaders(response: Response): void {
  const { headerList = [] } = response;
  response.headerList = undefined;
  for (let index = 0; index < headerList.length; index += 2) {
    response.appendHeader(headerList[index] as string, headerList[index + 1] as string);
  }
}

type WholeResponse = [response: Response, status: number, headers: string[], body?: Body];

let due: WholeResponse[] = [];

/**
 * Sends a whole response: the headers that are set or listed and these, which replace others of the same name. The responses
 * of one turn of the event loop go out one right after the other: each that goes alone wakes its client anew.
 */
export function send(...whole: WholeResponse): void {
  if (due.push(whole) === 1) setImmediate(sendDue);
}

function sendDue(): void {
  const responses = due;
  due = [];
  for (const [response, status, headers, body] of responses) {
    try {
      // Together with ordinary headers, `writeHead` sets those of a list as ordinary ones, too.
      response.writeHead(status, response.headerList?.concat(headers) ?? headers);
      response.end(response.req.method === 'HEAD' ? undefined : body, 'latin1');
    } catch (error) {
      // The other responses must not end with it.
      response.destroy(error as Error);
    }
  }
}

/** Sends a whole text that must not be stored. */
export function sendText(response: Response, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  const body = Buffer.from(text);
  const headers = ['Cache-Control', 'private, no-store', 'Content-Type', type, 'Content-Length', String(body.length)];
  send(response, status, headers, body);
}
