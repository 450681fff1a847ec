import type { Response } from 'express';
import { hasBody } from './body.ts';

/** How long a client may send the rest of a request that has its response already, in ms. */
export const remainderTimeout = 5_000;

/** Sends a whole response with the headers set so far. */
export function send(response: Response, status: number, body: string | Buffer = ''): void {
  const { req: request } = response;
  response.statusCode = status;
  if (status !== 204 && status !== 304) response.setHeader('Content-Length', Buffer.byteLength(body));
  if (!hasBody(request) || request.complete || request.destroyed) {
    response.end(body);
    return;
  }
  // Closing the connection while the client sends would discard the unread response.
  response.setHeader('Connection', 'close').flushHeaders();
  response.write(body);
  request.resume().once('end', () => response.end());
  const timer = setTimeout(() => request.socket.destroy(), remainderTimeout);
  response.once('close', () => clearTimeout(timer));
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
