import assert from 'node:assert/strict';
import { type Generator, load, type Request, type Requests } from './load.ts';
import type { PeerName, Role } from './peers.ts';
import type { Server } from './server.ts';

/** One round of one contender. Latencies in ms. */
export interface Round {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** CPU time of the server for a request, in µs; undefined where it is not known. */
  cpuPerRequest: number | undefined;
  /** CPU time of the load generator, as a share of one processor. */
  generatorShare: number | undefined;
}

/** Who takes part in a scenario. */
export interface Contender {
  name: 'service' | PeerName;
  label: string;
  role: Role;
  /** Throws when its answer is not the service's. */
  check(): Promise<void>;
  measure(seconds: number): Promise<Round>;
  rss(): Promise<number | undefined>;
}

interface HttpContender {
  name: 'service' | PeerName;
  label: string;
  role: Role;
  server: Server;
  requests: Requests;
  check(): Promise<void>;
}

/** A contender that is asked over HTTP. */
export function httpContender(generator: Generator, { server, requests, ...rest }: HttpContender): Contender {
  return {
    ...rest,
    async measure(seconds) {
      await server.truncateOutput();
      const before = await server.cpuTime();
      const result = await load(generator, server.url, requests, seconds);
      const after = await server.cpuTime();
      assert((await server.truncateOutput()) !== 0, `${rest.label} has not logged a line`);
      return {
        requestsPerSecond: result.requests / result.seconds,
        p50: result.p50,
        p99: result.p99,
        cpuPerRequest: before === undefined || after === undefined ? undefined : (after - before) / result.requests,
        generatorShare: result.generatorSeconds / result.seconds,
      };
    },
    rss: () => server.rss(),
  };
}

/** The text that a server answers a request with. Throws when that is not 200. */
export async function ask(server: Server, { method, path, body }: Request, headers: Record<string, string>) {
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text.slice(0, 500)}`);
  return text;
}
