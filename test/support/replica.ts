import { freePort } from './free-port.ts';
import { type Process, type ProcessEnv, startService } from './process.ts';

/** One of several processes of the service, always at the same port. */
export class Replica implements AsyncDisposable {
  readonly url: string;
  readonly address: string;
  readonly #env: ProcessEnv;
  #service: Process | undefined;

  constructor(port: number, env: ProcessEnv) {
    this.address = `127.0.0.1:${port}`;
    this.url = `http://${this.address}`;
    this.#env = { ...env, PORT: String(port) };
  }

  get running(): boolean {
    return this.#service?.running ?? false;
  }

  get pid(): number {
    return (this.#service as Process).pid;
  }

  /** Starts it; resolves when it answers. */
  async start(): Promise<void> {
    this.#service = await startService(this.#env);
  }

  /** Sends it a signal; resolves to its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    return (this.#service as Process).end(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service?.[Symbol.asyncDispose]();
  }
}

/** So many replicas with the same environment, not started yet. */
export function createReplicas(count: number, env: ProcessEnv): Promise<Replica[]> {
  return Promise.all(Array.from({ length: count }, async () => new Replica(await freePort(), env)));
}
