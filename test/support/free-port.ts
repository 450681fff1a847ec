import { once } from 'node:events';
import { createServer } from 'node:net';

// Linux takes the ports of outgoing connections from 32,768 on, so none of them takes a port below before it is used.
// Each worker begins elsewhere.
let last = 10_000 + 100 * (process.pid % 200);

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    last += 1;
    const port = last;
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
