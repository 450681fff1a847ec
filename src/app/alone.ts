import type { DestinationStream } from 'pino';
import { writeWelcome } from '../domain/reference/seed/welcome.ts';
import { createLog } from '../platform/observability/log.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import type { Service } from './service.ts';

/** The service in this one process. */
export function createService(config: Config, output: DestinationStream): Service {
  const log = createLog(config.logLevel, output);
  const app = createApp(config, { log });
  return {
    async start() {
      const url = await app.start();
      log.info({ url }, 'listening');
      if (config.databaseUrl === undefined) await writeWelcome(app.db(), config.dataDir, url);
      return url;
    },
    stop: () => app.stop(),
  };
}
