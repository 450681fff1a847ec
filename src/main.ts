import { type App, createApp } from './app.ts';
import { envToConfig, readEnv } from './config.ts';
import { StartError } from './errors/start-error.ts';
import { writeWelcome } from './seed/welcome.ts';

let app: App | undefined;
try {
  const config = envToConfig(readEnv());
  app = createApp(config);
  const url = await app.start();
  if (config.databaseUrl === undefined) await writeWelcome(app.db(), config.dataDir, url);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  await app?.stop();
  process.exit(1);
}

async function stop(): Promise<void> {
  await app?.stop();
  process.exit(0);
}
