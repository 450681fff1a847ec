import type { Response } from 'express';
import { hasBody } from './body.ts';
import { endAfterRequest } from './connections.ts';

type Outgoing = [response: Response, status: number, body: string | Buffer];

let outgoing: Outgoing[] = [];

/**
 * The most responses to one address in an iteration of the event loop. Each brings the next request of its connection, and
 * without this bound, others wait four times as long beside 250 connections.
 */
const maxPerAddress = 8;

/**
 * Sends a whole response with the headers set so far. The responses of one iteration of the event loop go out together,
 * because each separate write wakes its client: 1.2 times as many cached responses a second.
 */
export function send(response: Response, status: number, body: string | Buffer = ''): void {
  if (outgoing.push([response, status, body]) === 1) setImmediate(sendOutgoing);
}

function sendOutgoing(): void {
  const sending = outgoing;
  outgoing = [];
  const sent = new Map<string | undefined, number>();
  for (const each of sending) {
    const [response] = each;
    // Requests of the management port have no context.
    const address = response.locals.context?.address;
    const count = (sent.get(address) ?? 0) + 1;
    sent.set(address, count);
    if (count > maxPerAddress) {
      outgoing.push(each);
      continue;
    }
    try {
      sendNow(...each);
    } catch (error) {
      response.destroy(error as Error);
    }
  }
  if (outgoing.length > 0) setImmediate(sendOutgoing);
}

function sendNow(...[response, status, body]: Outgoing): void {
  const { req: request } = response;
  response.statusCode = status;
  if (status !== 204 && status !== 304) response.setHeader('Content-Length', Buffer.byteLength(body));
  if (!hasBody(request) || request.complete) {
    response.end(body);
    return;
  }
  // What follows on this connection would be read with the rest of this request.
  response.shouldKeepAlive = false;
  response.flushHeaders();
  response.write(body);
  endAfterRequest(response);
}

/** Sends a text that must not be stored. */
export function sendText(response: Response, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Type', type);
  send(response, status, text);
}

export function sendJson(response: Response, status: number, value: unknown): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  send(response, status, JSON.stringify(value));
}
