import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/** Sends one request again and again over several connections from several addresses, in a thread of its own. */
export interface Attack {
  port: number;
  connections: number;
  /** In ms. */
  duration: number;
  /** Parts of a request, in the order of sending; `{n}` becomes another number of six digits for each request. */
  request: string[];
  /** Leaves the response unread, and the request open. */
  endless?: boolean;
}

const { port, connections, duration, request, endless }: Attack = workerData;
const end = performance.now() + duration;
let sent = 0;

async function attack(index: number): Promise<void> {
  while (performance.now() < end) {
    sent += 1;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (index % 32)}` }).on(
      'error',
      () => {},
    );
    for (const part of request) {
      if (socket.destroyed) break;
      if (!socket.write(part.replaceAll('{n}', String(sent).padStart(6, '0')), 'latin1'))
        await Promise.race([once(socket, 'drain'), closed(socket)]);
    }
    if (endless) await setTimeout(Math.max(0, end - performance.now()));
    else await closed(socket.resume());
    socket.destroy();
  }
}

const closed = (socket: ReturnType<typeof connect>) =>
  socket.closed
    ? undefined
    : Promise.race([once(socket, 'close').catch(() => {}), setTimeout(Math.max(0, end - performance.now()))]);

await Promise.all(Array.from({ length: connections }, (_, index) => attack(index)));
