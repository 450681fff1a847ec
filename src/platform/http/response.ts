import { ServerResponse } from 'node:http';

/**
 * A response before Express. Setting some twenty headers one by one takes longer than everything else that a cached response
 * needs, so the steps before Express collect theirs in a list, which one `writeHead` sends.
 */
export class GatewayResponse extends ServerResponse {
  /** Names and values in turn, as `writeHead` takes them; undefined once they are set as ordinary headers. */
  headerList: string[] | undefined = [];
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
  forEachHeader(headerList, (name, value) => response.appendHeader(name, value));
}

interface WholeResponse {
  response: Response;
  status: number;
  headers: readonly string[];
  body: Body | undefined;
}

let due: WholeResponse[] = [];

/**
 * Sends a whole response: the headers that are set or listed and these; `Vary` adds to what is there, others replace it. The
 * responses of one turn of the event loop go out one right after the other: each that goes alone wakes its client anew.
 */
export function send(response: Response, status: number, headers: readonly string[], body?: Body): void {
  if (due.push({ response, status, headers, body }) === 1) setImmediate(sendDue);
}

function sendDue(): void {
  const responses = due;
  due = [];
  for (const each of responses) write(each);
}

function write({ response, status, headers, body }: WholeResponse): void {
  if (response.headerList !== undefined && response.getHeaderNames().length === 0) {
    response.writeHead(status, response.headerList.concat(headers));
  } else {
    settleHeaders(response);
    forEachHeader(headers, (name, value) => {
      if (name === 'Vary') response.appendHeader(name, value);
      else response.setHeader(name, value);
    });
    response.writeHead(status);
  }
  response.end(response.req.method === 'HEAD' ? undefined : body, 'latin1');
}

function forEachHeader(headers: readonly string[], visit: (name: string, value: string) => void): void {
  for (let index = 0; index < headers.length; index += 2) {
    visit(headers[index] as string, headers[index + 1] as string);
  }
}
