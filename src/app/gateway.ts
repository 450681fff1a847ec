import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ReferenceData } from '../domain/reference/reference-data.ts';
import type { Database } from '../domain/tables.ts';
import type { Health } from '../platform/http/health.ts';
import { listen } from '../platform/http/server.ts';
import { createLog } from '../platform/observability/log.ts';
import { serveManagement } from '../platform/observability/management.ts';
import { rejectUnreadable } from '../surfaces/rest/problem.ts';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { startResources } from './resources.ts';

interface Overrides {
  log?: Logger;
  /** Receives the text of every SQL statement. */
  onStatement?: (sql: string) => void;
  /** Runs before the service listens. */
  beforeListening?: (db: Database) => Promise<void>;
}

/** Wires the service from its configuration. Nothing connects or listens before `start`. */
export function createGateway(config: Config, overrides: Overrides = {}) {
  const { log = createLog(config.logLevel), onStatement, beforeListening } = overrides;
  // Services stop in reverse order, even if one fails to stop, so the database lock is always released.
  const started = new AsyncDisposableStack();
  let isListening = false;
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    // After a failed start, its cause stands alone.
    if (isListening) log.info('stopping');
    await started.disposeAsync();
    if (isListening) log.info('stopped');
  }

  return {
    /** Connects, prepares the embedded database, listens. Throws an OperatorError if it cannot. */
    async start() {
      const resources = await startResources(config, log, started, onStatement);
      await beforeListening?.(resources.db);
      const isDraining = () => stopped !== undefined;
      const health = createHealthCheck(resources.referenceData, () => isListening && !isDraining(), log);
      // Logs missing reference data.
      await health();
      if (config.management && resources.metrics) {
        const { registry } = resources.metrics;
        started.defer(await serveManagement(config.management, { health, registry }, log));
      }
      const app = createApp({ ...resources, config, health, isDraining, log });
      const onRejectedConnection = () => resources.metrics?.countRejectedConnection();
      const { url, drain } = await listen(app, { ...config, onRejectedConnection }, rejectUnreadable(log));
      started.defer(() => drain());
      // The load balancer sees /readyz fail and stops routing here before connections are refused.
      started.defer(() => setTimeout(config.shutdownDelay));
      isListening = true;
      // The version of the time zone rules, for UTC offsets.
      log.info({ url, tz: process.versions.tz }, 'listening');
      return { url, db: resources.db };
    },
    /** Reports not ready, finishes open requests and closes the database. Later calls wait for the first one. */
    stop: () => (stopped ??= stop()),
  };
}

/** How long a successful database check stays valid, in ms. */
const readinessTtl = 1_000;

const missingData = 'countries: run npm run -s admin -- seed, or in the image: node dist/src/admin.js seed';

/** A process is ready if the database responds and has reference data, until `stop` is called. */
function createHealthCheck(referenceData: ReferenceData, isAcceptingRequests: () => boolean, log: Logger): Health {
  let logged: string | undefined;
  return async () => {
    let isResponding = true;
    if (referenceData.state.age > readinessTtl) {
      await referenceData.refresh().catch(() => {
        isResponding = false;
      });
    }
    const missing = referenceData.current.lengths.countries ? undefined : missingData;
    if (missing !== undefined && logged === undefined) log.warn({ missing }, 'the reference data is missing');
    logged = missing;
    return { isReady: isResponding && missing === undefined && isAcceptingRequests(), missing };
  };
}
