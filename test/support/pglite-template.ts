import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { TestProject } from 'vitest/node';
import { envToConfig } from '../../src/app/config.ts';
import { createGateway } from '../../src/app/gateway.ts';

declare global {
  var pgliteTemplate: Promise<string> | undefined;
}

/** Starts the embedded service once for all projects; tests copy its data folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  globalThis.pgliteTemplate ??= createTemplate();
  const folder = await globalThis.pgliteTemplate;
  project.provide('embedded', folder);
  return () => rm(folder, { recursive: true, force: true });
}

async function createTemplate(): Promise<string> {
  // As in vitest.config.ts, which is for the workers.
  setFlagsFromString('--liftoff-only');
  const folder = await mkdtemp(join(tmpdir(), 'partner-gateway-template-'));
  const app = createGateway(envToConfig({ PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error' }));
  await app.start();
  await app.stop();
  return folder;
}
