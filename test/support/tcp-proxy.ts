import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface TcpProxy extends AsyncDisposable {
  /** The target's URL with the proxy's address. */
  url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>;
  /** Passes everything on so many ms late. */
  delay(ms: number): void;
}

/** A proxy on 127.0.0.1 before the server that the URL names: an outage is made by cutting it. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let latency = 0;
  const late = () =>
    new Transform({
      transform(chunk, _encoding, callback) {
        if (latency === 0) callback(null, chunk);
        else setTimeout(callback, latency, null, chunk);
      },
    });
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(late()).pipe(other);
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  const cut = async () => {
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await once(server, 'close');
  };
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(own);
  return {
    url: url.href,
    cut,
    async restore() {
      if (!server.listening) await listen(own);
    },
    delay(ms) {
      latency = ms;
    },
    [Symbol.asyncDispose]: cut,
  };
}
