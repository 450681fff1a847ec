import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { envToConfig } from '../../src/app/config.ts';
import { createService } from '../../src/app/service.ts';

/** Starts the embedded service once; each test file then copies its data folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-gateway-template-'));
  const app = createService(envToConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' }));
  await app.start();
  await app.stop();
  project.provide('template', { kind: 'pglite', folder });
  return () => rm(folder, { recursive: true });
}
