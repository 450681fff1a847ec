import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { StartError } from '../../kernel/errors/start-error.ts';
import { Answer } from './answer.ts';
import type { Handler, Middleware } from './middleware.ts';

/** How long requests in hand may take to finish on stop, and how often finished connections are looked for, in ms. */
const drainTimeout = 7_000;
const drainInterval = 50;

const limits = {
  /** In bytes, over all headers of a request. */
  maxHeaderSize: 16 * 1024,
  // In ms. The time-outs of what has not arrived are looked after this often.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the idle time-out of usual balancers (60 s), so that it is never us who closes under a request.
  keepAliveTimeout: 75_000,
};

interface Address {
  port: number;
  host: string;
  /** What the names of its settings begin with. */
  settings?: string;
}

type HttpServer = Server<typeof IncomingMessage, typeof Answer>;

/** Listens; resolves to the server and its base URL. Throws a StartError when the address cannot be had. */
export async function listen(
  handler: Handler,
  { port, host, settings = '' }: Address,
  onUnreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void,
): Promise<{ server: HttpServer; url: string }> {
  const options = {
    ...limits,
    requireHostHeader: false,
    // To read what has no body as a stream, up to its end, would take a sixth of the time of a ready answer.
    optimizeEmptyRequests: true,
    ServerResponse: Answer,
  };
  const server = createServer(options, handler);
  // A client that reads its answer too slowly, or not at all.
  server.setTimeout(60_000);
  if (onUnreadable) server.on('clientError', onUnreadable);
  // Node would answer these without a word: an expectation that it does not know, and the lack of a host.
  server.on('checkExpectation', handler);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw startErrorOf(error, { port, host, settings });
  });
  const address = server.address() as AddressInfo;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}` };
}

/** Lets connections end with their next answer while the condition holds: their clients go on elsewhere. */
export function closeWhen(isDraining: () => boolean): Middleware {
  return (_request, response, next) => {
    if (isDraining()) response.setHeader('Connection', 'close');
    next();
  };
}

/** Takes no more connections, lets the requests in hand finish for at most `timeout` ms, and closes. */
export async function drain(server: HttpServer, timeout = drainTimeout): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const idle = setInterval(() => server.closeIdleConnections(), drainInterval);
  const late = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

function startErrorOf(error: NodeJS.ErrnoException, { port, host, settings }: Required<Address>): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`Port ${port} of ${host} is in use. Set ${settings}PORT to another one.`);
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} needs more rights. Set ${settings}PORT to another one.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new StartError(`This machine has no address ${host}. Set ${settings}HOST to one it has.`);
  }
  return error;
}
