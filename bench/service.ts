import { join } from 'node:path';
import { type Data, loadData } from './data.ts';
import { createDatabase } from './databases.ts';
import { poolSize } from './peers.ts';
import type { listScenarios, Scenario } from './scenarios.ts';
import { Server } from './server-process.ts';

/** A build of the service, with a database of its own and the requests of its own checkout. */
export interface Build extends AsyncDisposable {
  label: string;
  role: 'service' | 'base';
  data: Data;
  server: Server;
  scenarios: Scenario[];
}

// Far above the load: requests are counted, but none is rejected.
const limits = Object.fromEntries(
  ['TOKEN_READS', 'TOKEN_WRITES', 'ADDRESS_READS', 'ADDRESS_WRITES'].map((name) => [
    `RATE_LIMIT_${name}`,
    '1000000000',
  ]),
);

/** Starts a build as an operator runs it: rate limits on, and a log line for each request in a file. */
export async function startBuild(
  { label, role }: Pick<Build, 'label' | 'role'>,
  { root, folder, serverUrl, items }: Record<'root' | 'folder' | 'serverUrl', string> & { items: number },
): Promise<Build> {
  const data = await loadData(await createDatabase(serverUrl, `bench_${role}`, root), root, items);
  const server = await Server.start({
    root,
    script: 'dist/src/main.js',
    env: {
      DATABASE_URL: data.url,
      DATABASE_POOL_SIZE: String(poolSize),
      LOG_LEVEL: 'info',
      // There is no load balancer to wait for.
      SHUTDOWN_DELAY: '0',
      // On, so that the benchmark includes the cost of counting.
      RATE_LIMIT: 'on',
      ...limits,
    },
    readyPath: '/readyz',
    outputFile: join(folder, role),
  });
  const module: { listScenarios: typeof listScenarios } = await import(join(root, 'bench/scenarios.ts'));
  return {
    label,
    role,
    data,
    server,
    scenarios: module.listScenarios(data),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
