import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import { RequestScope } from '../../src/kernel/request/scope.ts';
import { send, sendText } from '../../src/platform/http/send.ts';
import { listen } from '../../src/platform/http/server.ts';

const reportError: ErrorRequestHandler = (error, _request, response, _next) => sendText(response, 500, error.message);

/** Each request comes from the address that it names. */
const start: RequestHandler = ({ headers }, response, next) => {
  response.locals.context = new RequestScope(headers, String(headers['x-address']));
  next();
};

test('a response whose headers cannot be sent ends alone', async () => {
  const sendUnsendable: RequestHandler = ({ url }, response, next) => {
    if (url !== '/unsendable') return next();
    // Only Node checks the text of a status, when it sends it.
    response.statusMessage = 'a\nb';
    send(response, 200);
  };
  const serve: RequestHandler = (_request, response) => sendText(response, 200, 'served');
  const app = express().use(start, sendUnsendable, serve, reportError);
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

test('of many responses to one address, a part goes out in each iteration of the event loop, and others pass', async () => {
  const addresses = [...Array<string>(100).fill('many'), 'other'];
  const held: { name: string; release: () => void }[] = [];
  const order: string[] = [];
  const hold: RequestHandler = (_request, response) => {
    const { address: name } = response.locals.context;
    held.push({
      name,
      release: () =>
        sendText(
          response.on('prefinish', () => void order.push(name)),
          200,
          name,
        ),
    });
    if (held.length < addresses.length) return;
    // The other one is the last.
    for (const { release } of held.toSorted((one, another) => one.name.localeCompare(another.name))) release();
  };
  const { url, drain } = await listen(express().use(start, hold), { port: 0, host: '127.0.0.1' });
  const texts = addresses.map(async (address) => (await fetch(url, { headers: { 'X-Address': address } })).text());
  expect(await Promise.all(texts)).toEqual(addresses);
  expect(order.indexOf('other')).toBe(8);
  await drain();
});
