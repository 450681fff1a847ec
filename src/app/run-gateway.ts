import type { Logger } from 'pino';
import type { Database } from '../domain/tables.ts';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { createLog } from '../platform/observability/log.ts';
import { isPretty, openLogOutput } from '../platform/observability/log-output.ts';
import { type Config, envToConfig, readEnv, variables } from './config.ts';
import { createGateway } from './gateway.ts';

const stopTimeout = 15_000;

/** A second signal within this time, in ms, is the first one again: npm forwards what the terminal sent to both. */
const sameSignalTime = 500;

const env = readEnv();
// Even if another variable is invalid.
const { data: logFormat } = variables.LOG_FORMAT.safeParse(env.LOG_FORMAT);
const output = await openLogOutput(logFormat);
let log = createLog('fatal', output);

try {
  const config = envToConfig(env);
  log = createLog(config.logLevel, output);
  await run(await prepareService(config, log), config);
} catch (error) {
  await end(error);
}

type Service = Awaited<ReturnType<typeof prepareService>>;

async function prepareService(config: Config, log: Logger) {
  if (!config.demo) return createGateway(config, { log });
  const { ensureDemoToken, welcome } = await import('../domain/reference/seed/welcome.ts');
  const beforeListening = (db: Database) => ensureDemoToken(db, config.dataDir, log);
  const { start, stop } = createGateway(config, { log, beforeListening });
  // If standard output carries JSON log lines, the welcome text goes to standard error.
  const stream = isPretty(config.logFormat) ? process.stdout : process.stderr;
  return { stop, start: () => start().then(({ url }) => stream.write(welcome(config.dataDir, url))) };
}

/** Starts a service, and stops it on SIGTERM, SIGINT or SIGHUP. Rejects once a failed start is undone. */
async function run(service: Service, { databaseUrl }: Config): Promise<void> {
  let isStarted = false;
  const started = service.start().then(() => {
    isStarted = true;
  });
  let stoppedAt: number | undefined;
  const stop = () => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    // With PostgreSQL, a start changes nothing, and may wait for the server.
    if (!isStarted && databaseUrl !== undefined) return void end();
    setTimeout(() => void end('It did not stop in time.'), stopTimeout).unref();
    // A start with the embedded database ends first: a half-created one is worse than a late exit.
    started
      .catch(() => {})
      .then(() => service.stop())
      .then(() => end(), end);
  };
  const onSignal = (_signal: NodeJS.Signals, number: number) => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalTime) process.exit(128 + number);
    stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // When its terminal closes, a process may get several.
  process.on('SIGHUP', stop);
  if (process.env.npm_lifecycle_event === 'start') onLostParent(stop);
  try {
    await started;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

// npm forwards SIGTERM only to its shell, and dash exits without stopping its child.
function onLostParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 200).unref();
}

async function end(error?: unknown): Promise<never> {
  if (error !== undefined) {
    const sentence = error instanceof OperatorError ? error.message : error;
    console.error(sentence);
    // Collectors of JSON lines may read standard output alone.
    if (!isPretty(logFormat)) log.fatal(sentence);
  }
  await output.flush();
  process.exit(error === undefined ? 0 : 1);
}
