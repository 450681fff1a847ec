import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

interface Question {
  method: string;
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object | undefined;
}

/** Asks a handler without a connection: resolves to the status and text that it answers. */
export async function ask(handler: RequestListener, question: Question): Promise<{ status: number; text: string }> {
  const { method, url, headers = {}, body } = question;
  const request = new IncomingMessage(new Socket());
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const framing = body !== undefined && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  Object.assign(request, { method, url, headers: { ...headers, ...framing } });
  request.push(bytes);
  request.push(null);

  const response = new ServerResponse(request);
  const { promise, resolve } = Promise.withResolvers<string>();
  response.end = ((text: unknown) => {
    resolve(String(text ?? ''));
    return response;
  }) as ServerResponse['end'];
  handler(request, response as Parameters<RequestListener>[1]);
  return { text: await promise, status: response.statusCode };
}
