import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

/** A TCP proxy in front of a server. `cut` breaks its connections and rejects new ones until `restore`. */
export async function startTcpProxy(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let latency = 0;
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
        other.end();
      });
      socket.on('data', (chunk) => {
        if (latency === 0) other.write(chunk);
        else setTimeout(() => other.write(chunk), latency);
      });
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
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${own}` }).href,
    cut,
    async restore() {
      if (!server.listening) await listen(own);
    },
    delay(ms: number) {
      latency = ms;
    },
    [Symbol.asyncDispose]: cut,
  };
}
