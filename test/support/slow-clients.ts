// A process of its own, so that what it takes is not the time of those beside it: opens 1,000 connections to the URL and
// sends a byte a second on each, half of them of the headers, half of the body. Says when all are open, and how many are
// left; ends when the service has ended the last.
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

const count = 1_000;
const { hostname, port } = new URL(process.argv[2] as string);
const head = 'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n';

async function open(isHeader: boolean): Promise<Socket> {
  const socket = createConnection(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.write(isHeader ? `${head}X-Slow: ` : `${head}\r\n`);
  const drip = setInterval(() => socket.write('a'), 1_000);
  socket.on('close', () => clearInterval(drip)).resume();
  return socket;
}

const sockets = await Promise.all(Array.from({ length: count }, (_, index) => open(index % 2 === 0)));
console.log('all open');
setInterval(() => console.log(`${sockets.filter((socket) => !socket.closed).length} left`), 1_000).unref();
