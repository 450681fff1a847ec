import cluster from 'node:cluster';
import { StartError } from '../kernel/errors/start-error.ts';
import { openLogOutput } from '../platform/observability/log-output.ts';
import { envToConfig, readEnv } from './config.ts';
import { run } from './run.ts';

try {
  const config = envToConfig(readEnv());
  const hasWorkers = config.workers > 1;
  const output = await openLogOutput(config.logFormat, hasWorkers);
  // The primary does not load what its workers serve.
  const isPrimary = hasWorkers && cluster.isPrimary;
  const { createService } = await (isPrimary ? import('./cluster.ts') : import('./service.ts'));
  await run(createService(config, output), end);
} catch (error) {
  end(error);
}

function end(error?: unknown): never {
  if (error === undefined) process.exit(0);
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
