import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ephemeral ports of Linux, so that no outgoing connection takes the port. Each worker has its own range.
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
