// Passes GraphQL requests of a page on to the gateway, with the token, which no browser may have. Needs Node 22 or newer:
// GATEWAY_URL=... GATEWAY_TOKEN=... node server.js

import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const { GATEWAY_URL = 'http://127.0.0.1:4000', GATEWAY_TOKEN, PORT = '8080' } = process.env;
const requestHeaders = ['accept', 'accept-language', 'content-type', 'idempotency-key', 'if-match'];
const responseHeaders = ['content-type', 'content-language', 'retry-after', 'x-request-id'];

createServer(async (request, response) => {
  // Reject here whoever is not signed in to your app: everybody else acts with your token.
  try {
    const headers = requestHeaders.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : []));
    const passedOn = await fetch(`${GATEWAY_URL}/graphql`, {
      method: 'POST',
      headers: [...headers, ['authorization', `Bearer ${GATEWAY_TOKEN}`]],
      body: request,
      duplex: 'half',
      signal: AbortSignal.timeout(30_000),
    });
    const returned = responseHeaders.filter((name) => passedOn.headers.has(name));
    response.writeHead(passedOn.status, Object.fromEntries(returned.map((name) => [name, passedOn.headers.get(name)])));
    await pipeline(passedOn.body, response);
  } catch {
    // The gateway may have done what it was asked: a status of 500 or above says so.
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  }
}).listen(Number(PORT), '127.0.0.1');
