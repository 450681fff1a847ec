import { StartError } from '../kernel/errors/start-error.ts';
import { openLogOutput } from '../platform/observability/log-output.ts';
import { envToConfig, readEnv } from './config.ts';
import { run } from './service.ts';

try {
  const config = envToConfig(readEnv());
  const output = await openLogOutput(config.logFormat);
  // The primary of several workers needs nothing of what they serve.
  const { createService } = config.workers === 1 ? await import('./alone.ts') : await import('./workers/primary.ts');
  await run(createService(config, output), end).started;
} catch (error) {
  end(error);
}

function end(error?: unknown): never {
  if (error === undefined) process.exit(0);
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
