import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { send, sendText } from '../../src/platform/http/send.ts';
import { listen } from '../../src/platform/http/server.ts';

const reportError: ErrorRequestHandler = (error, _request, response, _next) => sendText(response, 500, error.message);

test('a response whose headers cannot be sent ends alone', async () => {
  const sendUnsendable: RequestHandler = ({ url }, response, next) => {
    if (url !== '/unsendable') return next();
    // Only Node checks the text of a status, when it sends it.
    response.statusMessage = 'a\nb';
    send(response, 200);
  };
  const serve: RequestHandler = (_request, response) => sendText(response, 200, 'served');
  const app = express().use(sendUnsendable, serve, reportError);
  const { url, drain } = await listen(app, { port: 0, host: '127.0.0.1' });
  const statusOf = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 'closed',
    );
  const paths = ['/', '/unsendable', '/', '/unsendable', '/'];
  expect(await Promise.all(paths.map(statusOf))).toEqual([200, 'closed', 200, 'closed', 200]);
  await drain();
});
