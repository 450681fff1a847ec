import { expect, test } from 'vitest';
import { chain, type Middleware } from '../../src/platform/http/middleware.ts';
import { send, sendText } from '../../src/platform/http/response.ts';
import { drain, listen } from '../../src/platform/http/server.ts';

/** A server with steps that fail for some requests. */
async function startServer(...steps: Middleware[]) {
  const handler = chain(
    steps,
    (_request, response) => sendText(response, 200, 'served'),
    (response, error) => sendText(response, 500, (error as Error).message),
  );
  const { server, url } = await listen(handler, { port: 0, host: '127.0.0.1' });
  return { url, [Symbol.asyncDispose]: () => drain(server) };
}

test('a response whose headers cannot be sent ends alone', async () => {
  await using server = await startServer((request, response, next) => {
    if (request.url === '/unsendable') send(response, 200, ['X-Invalid', 'a\nb']);
    else next();
  });
  const statusOf = (path: string) =>
    fetch(server.url + path).then(
      ({ status }) => status,
      () => 'closed',
    );
  const paths = ['/', '/unsendable', '/', '/unsendable', '/'];
  expect(await Promise.all(paths.map(statusOf))).toEqual([200, 'closed', 200, 'closed', 200]);
});

const fail = () => {
  throw new Error('thrown');
};

test.each<[string, ...Middleware[]]>([
  ['throws', fail],
  ['throws after an asynchronous one', (_request, _response, next) => Promise.resolve().then(next), fail],
  ['throws later', () => Promise.resolve().then(fail)],
])('a step that %s gets the response of an error', async (_name, ...steps) => {
  await using server = await startServer(...steps);
  const response = await fetch(server.url);
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 500, text: 'thrown' });
});
