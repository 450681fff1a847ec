import { envToConfig, readEnv } from './app/config.ts';
import { run } from './app/service.ts';
import { StartError } from './kernel/errors/start-error.ts';
import { openLogOutput } from './platform/observability/log-output.ts';

try {
  const config = envToConfig(readEnv());
  const output = await openLogOutput(config.logFormat);
  // The primary of several workers needs nothing of what they serve.
  const { createService } =
    config.workers === 1 ? await import('./app/alone.ts') : await import('./app/workers/primary.ts');
  await run(createService(config, output), end).started;
} catch (error) {
  end(error);
}

function end(error?: unknown): never {
  if (error === undefined) process.exit(0);
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
