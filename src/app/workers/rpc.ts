import { type BirpcReturn, createBirpc } from 'birpc';
import type { Registry } from 'prom-client';
import type { CountInAdvance, SharedCounts } from './primary-limiter.ts';

/** The metrics of a process as values. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the primary does for its workers. */
export interface PrimaryFunctions {
  started(url: string): void;
  /** It could not start, and why. */
  failed(reason: string): void;
  /** Counts for several callers, in this order. */
  count(asked: Parameters<SharedCounts['count']>[]): Promise<CountInAdvance[]>;
  giveBack: SharedCounts['giveBack'];
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
  send(message: object): void;
  onMessage(listener: (message: object) => void): void;
}

/** Functions of another process as if they were here. One that ends before its answer never gives it. */
export type Remote<Theirs extends object, Ours extends object> = BirpcReturn<Theirs, Ours>;

/** Calls and answers over the channel of a process. Whoever waits for an answer has a limit of its own. */
export function connect<Theirs extends object, Ours extends object>(ours: Ours, peer: Peer): Remote<Theirs, Ours> {
  return createBirpc<Theirs, Ours>(ours, { post: peer.send, on: peer.onMessage, timeout: -1 });
}
