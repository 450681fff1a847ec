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
  onStatement?: (sql: string) => void;
  beforeListening?: (db: Database) => Promise<void>;
}

export function createGateway(config: Config, overrides: Overrides = {}) {
  const { log = createLog(config.logLevel), onStatement, beforeListening } = overrides;
  // Disposed in reverse order, even if one fails, so the database lock is always released.
  const disposables = new AsyncDisposableStack();
  let isListening = false;
  let stopped: Promise<void> | undefined;

  async function stop(): Promise<void> {
    if (isListening) log.info('stopping');
    await disposables.disposeAsync();
    if (isListening) log.info('stopped');
  }

  return {
    /** Throws an OperatorError if it cannot connect or listen. */
    async start() {
      const resources = await startResources(config, log, disposables, onStatement);
      await beforeListening?.(resources.db);
      const isDraining = () => stopped !== undefined;
      const health = createHealthCheck(resources.referenceData, () => isListening && !isDraining(), log);
      await health();
      if (config.management && resources.metrics) {
        const { registry } = resources.metrics;
        disposables.defer(await serveManagement(config.management, { health, registry }, log));
      }
      const app = createApp({ ...resources, config, health, isDraining, log });
      const onRejectedConnection = () => resources.metrics?.countRejectedConnection();
      const { url, drain } = await listen(app, { ...config, onRejectedConnection }, rejectUnreadable(log));
      disposables.defer(() => drain());
      // Load balancers see /readyz fail before connections are refused.
      disposables.defer(() => setTimeout(config.shutdownDelay));
      isListening = true;
      log.info({ url, tz: process.versions.tz }, 'listening');
      return { url, db: resources.db };
    },
    /** Finishes open requests first. Later calls wait for the first one. */
    stop: () => (stopped ??= stop()),
  };
}

const readinessTtlMs = 1_000;

const missingData = 'countries. Run npm run -s admin -- seed, or in the image: node dist/src/admin.js seed';

/** Ready if the database responds and has reference data, until `stop` is called. */
function createHealthCheck(referenceData: ReferenceData, isAcceptingRequests: () => boolean, log: Logger): Health {
  let loggedMissing: string | undefined;
  return async () => {
    let isResponding = true;
    if (referenceData.state.age > readinessTtlMs) {
      await referenceData.refresh().catch(() => {
        isResponding = false;
      });
    }
    const missing = referenceData.current.lengths.countries ? undefined : missingData;
    if (missing !== undefined && loggedMissing === undefined) log.warn({ missing }, 'not ready: no reference data');
    loggedMissing = missing;
    return { isReady: isResponding && missing === undefined && isAcceptingRequests(), missing };
  };
}
