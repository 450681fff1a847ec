import { poolSize } from './peers.ts';
import { Server } from './server.ts';

// Far more than is ever sent: requests are counted, and none is refused.
const limit = '1000000000';

const limits = Object.fromEntries(
  ['TOKEN_READS', 'TOKEN_WRITES', 'ADDRESS_READS', 'ADDRESS_WRITES'].map((name) => [`RATE_LIMIT_${name}`, limit]),
);

/** Starts the service as it is built and as an operator runs it: rate limits on, a log line a request into a file. */
export async function startService(
  databaseUrl: string,
  logFile: string,
  env: Record<string, string> = {},
): Promise<Server> {
  return Server.start({
    script: 'dist/src/main.js',
    env: {
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      LOG_LEVEL: 'info',
      // There is no balancer that has to look elsewhere first.
      SHUTDOWN_DELAY: '0',
      // The load is meant to take all that the process has.
      MAX_EVENT_LOOP_DELAY: '0',
      RATE_LIMIT: 'on',
      ...limits,
      ...env,
    },
    readyPath: '/readyz',
    outputFile: logFile,
  });
}
