import { createApp } from './app.ts';
import { envToConfig, readEnv } from './config.ts';
import { StartError } from './errors/start-error.ts';
import { writeWelcome } from './seed/welcome.ts';

try {
  const config = envToConfig(readEnv());
  const app = createApp(config);
  const started = app.start();
  // A signal that comes while it starts waits for that: a database half made is worse than a late end.
  const stop = async () => {
    await started.catch(() => {});
    await app.stop();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  try {
    const url = await started;
    if (config.databaseUrl === undefined) await writeWelcome(app.db(), config.dataDir, url);
  } catch (error) {
    await app.stop();
    throw error;
  }
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
