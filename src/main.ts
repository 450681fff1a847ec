import { type App, createApp } from './app.ts';
import { type Config, envToConfig, readEnv } from './config.ts';
import { StartError } from './errors/start-error.ts';
import { writeWelcome } from './seed/welcome.ts';

try {
  const config = envToConfig(readEnv());
  const app = createApp(config);
  const started = start(app, config);
  // A signal that comes while it starts waits for that: a database half made is worse than a late end.
  const stop = () =>
    started
      .catch(() => {})
      .then(() => app.stop())
      .then(() => process.exit(0), fail);
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await started;
} catch (error) {
  fail(error);
}

async function start(app: App, config: Config): Promise<void> {
  try {
    const url = await app.start();
    if (config.databaseUrl === undefined) await writeWelcome(app.db(), config.dataDir, url);
  } catch (error) {
    await app.stop();
    throw error;
  }
}

function fail(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
