import { ServerResponse } from 'node:http';

/**
 * A response before Express. What every answer says is gathered in a list, which a ready answer writes in one go: to set
 * some twenty headers one by one takes longer than all else that is done for such an answer.
 */
export class Answer extends ServerResponse {
  /** Names and values in turn, as `writeHead` takes them; undefined once they are headers like any other. */
  gathered: string[] | undefined = [];
}

type Gathering = ServerResponse & Partial<Pick<Answer, 'gathered'>>;

/** Adds a header, or another value of it. */
export function addHeader(response: Gathering, name: string, value: string): void {
  if (response.gathered === undefined) response.appendHeader(name, value);
  else response.gathered.push(name, value);
}

/** Makes what was gathered headers like any other, for who goes on with them one by one. */
export function settleHeaders(response: Gathering): void {
  const { gathered = [] } = response;
  response.gathered = undefined;
  forEachHeader(gathered, (name, value) => response.appendHeader(name, value));
}

interface WholeAnswer {
  response: Gathering;
  status: number;
  headers: string[];
  body: Body | undefined;
}

/** Bytes, or a text with one in each character. */
export type Body = Buffer | string;

/** Up to so many bytes go out together with their headers as one text, in a simpler write than two pieces take. */
const longestText = 8 * 1024;

/** Bytes as they are sent the fastest. */
export function bodyOf(bytes: Buffer): Body {
  return bytes.length <= longestText ? bytes.toString('latin1') : bytes;
}

let ready: WholeAnswer[] = [];

/**
 * Answers as a whole, with what was gathered. `Vary` adds to what is there, other headers replace it. Answers that are
 * ready in one turn of the event loop are sent one right after the other: each that goes alone wakes its receiver anew.
 */
export function answerWhole(response: Gathering, status: number, headers: string[], body?: Body): void {
  if (ready.push({ response, status, headers, body }) === 1) setImmediate(sendReady);
}

function sendReady(): void {
  const answers = ready;
  ready = [];
  for (const answer of answers) send(answer);
}

function send({ response, status, headers, body }: WholeAnswer): void {
  if (response.gathered !== undefined && response.getHeaderNames().length === 0) {
    response.writeHead(status, response.gathered.concat(headers));
  } else {
    settleHeaders(response);
    forEachHeader(headers, (name, value) => {
      if (name === 'Vary') response.appendHeader(name, value);
      else response.setHeader(name, value);
    });
    response.writeHead(status);
  }
  response.end(body, 'latin1');
}

function forEachHeader(headers: string[], visit: (name: string, value: string) => void): void {
  for (let index = 0; index < headers.length; index += 2) {
    visit(headers[index] as string, headers[index + 1] as string);
  }
}
