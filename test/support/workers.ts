import { Agent, get } from 'node:http';
import { expect } from 'vitest';
import { type Process, type ProcessEnv, printed, startService } from './process.ts';
import { exchangeRaw, type RawAnswer } from './raw-http.ts';

export const workerCount = 2;

type ServiceProcess = Process & { url: string };

/** Starts the service in two workers; resolves when all of them serve. */
export async function startWorkers(env: ProcessEnv): Promise<ServiceProcess> {
  const service = await startService({ WORKERS: String(workerCount), LOG_LEVEL: 'info', ...env });
  await printed(service, /"msg":"listening"/);
  return service;
}

/** A read on a connection of its own, which the next worker gets. */
export async function readAnew({ url }: { url: string }, target = '/partner_portal/v1/services'): Promise<RawAnswer> {
  const answer = await exchangeRaw(url, { method: 'GET', target, headers: [] });
  if (answer === undefined) throw new Error('the connection was closed without an answer');
  return answer;
}

/** Every whole line that the service has logged, parsed. */
function logLines({ stdout }: Process): Record<string, unknown>[] {
  const lines = stdout.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

/** The lines with this message. */
export function said(service: Process, message: string): Record<string, unknown>[] {
  return logLines(service).filter(({ msg }) => msg === message);
}

/** The pids of the workers that answer now. */
export async function answeringPids(service: ServiceProcess): Promise<number[]> {
  const since = service.stdout.length;
  const pids = new Set<number>();
  await expect
    .poll(async () => {
      await readAnew(service);
      const fresh = service.stdout.slice(since).matchAll(/"pid":(\d+),"requestId"/g);
      for (const [, pid] of fresh) pids.add(Number(pid));
      return pids.size;
    })
    .toBe(workerCount);
  return [...pids];
}

/** Reads over so many connections that stay open, and so with all workers. */
export function keptConnections({ url }: { url: string }, count: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const read = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    get(`${url}/partner_portal/v1/services`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode as number));
    }).on('error', reject);
    return promise;
  };
  return {
    /** The statuses of so many reads. */
    read: (reads: number): Promise<number[]> => Promise.all(Array.from({ length: reads }, read)),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
