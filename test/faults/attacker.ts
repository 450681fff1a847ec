import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/** Repeats requests over several connections from several addresses, in its own thread. */
export interface Attack {
  port: number;
  connections: number;
  addresses: number;
  /** In ms. */
  duration: number;
  /** Each connection repeats one. `{n}` is a new six-digit number per request, `{third}` per three requests. */
  requests: string[];
  /** Does not read the response, nor finish the request. */
  isEndless: boolean;
  /** Resets each connection after this time, in ms, and opens another one. */
  resetAfter?: number;
}

const { port, connections, addresses, duration, requests, isEndless, resetAfter }: Attack = workerData;
const end = performance.now() + duration;
const untilEnd = () => setTimeout(Math.max(0, end - performance.now()));
let sent = 0;

async function attack(index: number): Promise<void> {
  const request = requests[index % requests.length] as string;
  while (performance.now() < end) {
    sent += 1;
    const numbered = request.replaceAll('{n}', digits(sent)).replaceAll('{third}', digits(Math.floor(sent / 3)));
    const localAddress = `127.0.0.${2 + (index % addresses)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
    const closed = once(socket, 'close').catch(() => {});
    await write(socket, numbered, closed);
    if (resetAfter !== undefined) await setTimeout(resetAfter);
    else await (isEndless ? untilEnd() : Promise.race([closed, untilEnd()]));
    socket.resetAndDestroy();
  }
}

// No faster than the service reads.
async function write(socket: Socket, text: string, closed: Promise<unknown>): Promise<void> {
  for (let from = 0; from < text.length && !socket.destroyed; from += 6_000) {
    const isFull = !socket.write(text.slice(from, from + 6_000), 'latin1');
    if (isFull) await Promise.race([once(socket, 'drain').catch(() => {}), closed, untilEnd()]);
  }
  if (!isEndless) socket.resume();
}

function digits(number: number): string {
  return String(number).padStart(6, '0');
}

await Promise.all(Array.from({ length: connections }, (_, index) => attack(index)));
