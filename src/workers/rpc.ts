import { type BirpcReturn, createBirpc } from 'birpc';
import type { Registry } from 'prom-client';
import type { Count, LimiterOptions } from '../http/rate-limit.ts';

/** The metrics of a process as values. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the primary does for its workers. */
export interface PrimaryFunctions {
  started(url: string): void;
  /** It could not start, and why. */
  failed(reason: string): void;
  /** Counts requests of a caller against a limit. */
  count(limit: LimiterOptions, caller: string, points: number): Promise<Count>;
}

/** What a worker does for its primary. */
export interface WorkerFunctions {
  stop(): void;
  isLive(): Promise<boolean>;
  isReady(): Promise<boolean>;
  metrics(): Promise<Metrics>;
}

/** The other process, as its end of the channel is here. */
interface Peer {
  send(messages: unknown[]): void;
  onMessages(listener: (messages: unknown[]) => void): void;
}

/** Functions of another process as if they were here. One that ends before its answer never gives it. */
export type Remote<Theirs extends object, Ours extends object> = BirpcReturn<Theirs, Ours>;

/** Calls and answers over the channel of a process; those of one turn of the event loop go together. */
export function connect<Theirs extends object, Ours extends object>(ours: Ours, peer: Peer): Remote<Theirs, Ours> {
  let waiting: unknown[] = [];
  const send = () => {
    peer.send(waiting);
    waiting = [];
  };
  return createBirpc<Theirs, Ours>(ours, {
    post: (message) => {
      if (waiting.push(message) === 1) setImmediate(send);
    },
    on: (listener) => peer.onMessages((messages) => messages.forEach((message) => void listener(message))),
    // Whoever waits has a limit of its own.
    timeout: -1,
  });
}
