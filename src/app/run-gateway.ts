import type { Logger } from 'pino';
import type { Database } from '../domain/tables.ts';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { createLog } from '../platform/observability/log.ts';
import { isPretty, openLogOutput } from '../platform/observability/log-output.ts';
import { type Config, envToConfig, readEnv, variables } from './config.ts';
import { createGateway } from './gateway.ts';

const stopTimeoutMs = 15_000;

/** npm forwards a signal of the terminal, so the same signal may arrive twice. */
const sameSignalWindowMs = 500;

const env = readEnv();
// Known even if another variable is invalid.
const { data: logFormat } = variables.LOG_FORMAT.safeParse(env.LOG_FORMAT);
const output = await openLogOutput(logFormat);
let log = createLog('fatal', output);

try {
  const config = envToConfig(env);
  log = createLog(config.logLevel, output);
  await run(await prepareService(config, log), config);
} catch (error) {
  await exit(error);
}

type Service = Awaited<ReturnType<typeof prepareService>>;

async function prepareService(config: Config, log: Logger) {
  if (!config.demo) return createGateway(config, { log });
  const { ensureDemoToken } = await import('../domain/reference/seed/demo-token.ts');
  const { formatWelcome } = await import('./welcome.ts');
  const beforeListening = (db: Database) => ensureDemoToken(db, config.dataDir, log);
  const { start, stop } = createGateway(config, { log, beforeListening });
  // Standard output may be for JSON log lines only.
  const stream = isPretty(config.logFormat) ? process.stdout : process.stderr;
  return { stop, start: () => start().then(({ url }) => stream.write(formatWelcome(config.dataDir, url))) };
}

async function run(service: Service, { databaseUrl }: Config): Promise<void> {
  let isStarted = false;
  const started = service.start().then(() => {
    isStarted = true;
  });
  let stoppedAt: number | undefined;
  const stop = () => {
    if (stoppedAt !== undefined) return;
    stoppedAt = performance.now();
    // With PostgreSQL, a start changes nothing, and may be waiting for the server.
    if (!isStarted && databaseUrl !== undefined) return void exit();
    setTimeout(() => void exit('The service did not stop within 15 s.'), stopTimeoutMs).unref();
    // With the embedded database, let the start end: a half-created database is worse than a late exit.
    started
      .catch(() => {})
      .then(() => service.stop())
      .then(() => exit(), exit);
  };
  const onSignal = (_signal: NodeJS.Signals, number: number) => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalWindowMs) process.exit(128 + number);
    stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  // A process may get several when its terminal closes.
  process.on('SIGHUP', stop);
  if (process.env.npm_lifecycle_event === 'start') stopWithParent(stop);
  try {
    await started;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

// npm sends SIGTERM only to its shell, and dash exits without stopping its child.
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 200).unref();
}

async function exit(error?: unknown): Promise<never> {
  if (error !== undefined) {
    const message = error instanceof OperatorError ? error.message : error;
    console.error(message);
    // Log collectors may read standard output alone.
    if (!isPretty(logFormat)) log.fatal(message);
  }
  await output.flush();
  process.exit(error === undefined ? 0 : 1);
}
