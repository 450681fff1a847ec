import { createLog } from '../platform/observability/log.ts';
import { createLogOutput } from '../platform/observability/log-output.ts';
import { createApp } from './app.ts';
import { envToConfig, readEnv } from './config.ts';
import { run } from './service.ts';
import { connectToPrimary } from './workers/worker.ts';

// What the primary runs, so many times; alone it does nothing.
const config = envToConfig(readEnv());
const log = createLog(config.logLevel, createLogOutput(), { pid: process.pid });
const primary = connectToPrimary(log, () => stop());
const { createLimiter, manage } = primary;
const { started, stop } = run(createApp(config, { log, createLimiter, manage }), (error) => {
  if (error !== undefined) console.error(error);
  process.exit(error === undefined ? 0 : 1);
});
started.then(primary.tellStarted, primary.tellFailed);
