import type { ServerResponse } from 'node:http';
import etag from 'etag';
import { ReadyAnswer } from './ready-answer.ts';

/** The answer that a response, whose headers are set, makes with a text: with its `ETag`, to send now and to keep for others. */
export function readyText(response: ServerResponse, text: string): ReadyAnswer {
  const body = Buffer.from(text);
  response.setHeader('ETag', etag(body, { weak: true }));
  return new ReadyAnswer(response, body, undefined);
}
