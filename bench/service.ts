import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './database.ts';
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
  const start = startCommand();
  return Server.start({
    script: 'dist/src/main.js',
    nodeOptions: start.options,
    env: {
      ...start.env,
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      LOG_LEVEL: 'info',
      // There is no balancer that has to look elsewhere first.
      SHUTDOWN_DELAY: '0',
      RATE_LIMIT: 'on',
      ...limits,
      ...env,
    },
    readyPath: '/readyz',
    outputFile: logFile,
  });
}

// The variables and the options of Node that `npm start` sets.
function startCommand(): { env: Record<string, string>; options: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, variables, options] = /((?:[A-Z_]+=\S+ )+)exec node ((?:--\S+ )+)dist/.exec(scripts.start) ?? [];
  if (variables === undefined || options === undefined) throw new Error(`not understood: ${scripts.start}`);
  return {
    env: Object.fromEntries(
      variables
        .trimEnd()
        .split(' ')
        .map((each) => each.split('=', 2)),
    ),
    options: options.trimEnd().split(' '),
  };
}
