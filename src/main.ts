import { type App, createApp } from './app.ts';
import { type Config, envToConfig, readEnv } from './config.ts';
import { StartError } from './errors/start-error.ts';
import { createLog } from './http/log.ts';
import { openLogOutput } from './http/log-output.ts';
import { writeWelcome } from './seed/welcome.ts';

/** How long a stop may take in all, in ms. */
const stopTimeout = 15_000;

try {
  const config = envToConfig(readEnv());
  const app = createApp(config, { log: createLog(config.logLevel, await openLogOutput(config.logFormat)) });
  const started = start(app, config);
  onStopSignal(() => {
    setTimeout(() => fail('It did not stop in time.'), stopTimeout).unref();
    // A signal that comes while it starts waits for that: a database half made is worse than a late end.
    started
      .catch(() => {})
      .then(() => app.stop())
      .then(() => process.exit(0), fail);
  });
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

// The second signal ends the process at once. Not one that follows at the heels of the first: npm passes on what the
// terminal has sent to the whole group.
function onStopSignal(stop: () => void): void {
  let stoppedAt: number | undefined;
  const onSignal = (_signal: NodeJS.Signals, number: number) => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop();
    } else if (performance.now() - stoppedAt > 500) {
      process.exit(128 + number);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function fail(error: unknown): never {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
