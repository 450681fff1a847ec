import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** JSON in one line. */
  body?: string;
}

/** Requests to send in a loop, all with the same headers. */
export interface Requests {
  headers: Record<string, string>;
  list: Request[];
}

/** The result of a load; latencies in ms. */
export interface LoadResult {
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Responses other than 2xx, and requests without a response. */
  failures: number;
}

/** Number of connections. */
export const connections = 32;

/** Sends requests to a server from 32 connections for `seconds` whole seconds. Throws if one fails. */
export async function load(url: string, { headers, list }: Requests, seconds: number): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const file = join(folder, 'requests');
    await writeFile(file, list.map(({ method, path, body = '' }) => `${method}\t${path}\t${body}\n`).join(''));
    const result = await runWrk(url, headers, file, seconds);
    if (result.failures > 0) throw new Error(`${result.failures} of ${result.requests} requests to ${url} failed`);
    return result;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runWrk(url: string, headers: Requests['headers'], file: string, seconds: number): Promise<LoadResult> {
  const headerOptions = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const script = fileURLToPath(new URL('wrk.lua', import.meta.url));
  const options = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`];
  const args = [...options, '--timeout', '10s', ...headerOptions, '--script', script, url];
  const { stdout } = await run('wrk', args, { env: { ...process.env, REQUESTS: file } });
  return JSON.parse(stdout.trim().split('\n').at(-1) as string);
}
