import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { envToConfig } from '../../src/app/config.ts';
import type { Database } from '../../src/domain/tables.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { Client } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { figuresOf, type Outcome, startLoad } from '../support/load.ts';
import { startService } from '../support/process.ts';
import { contractOf } from '../support/rest-contract.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';

const writers = 4;
const kills = 20;
/** How long a killed process has been writing, at most, in ms. */
const writingTime = 1_000;

let env: { DATA_DIR: string; PORT: string; LOG_LEVEL: string; RATE_LIMIT: string; MAX_EVENT_LOOP_DELAY: string };
let tenant: Tenant;
let ledger: TagLedger;
beforeAll(async () => {
  const port = await freePort();
  env = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'partner-gateway-faults-')),
    PORT: String(port),
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    MAX_EVENT_LOOP_DELAY: '0',
  };
  const app = createApp(envToConfig(env));
  await app.start();
  tenant = await createTenant(app.db(), { products: 12 });
  await app.stop();
  ledger = new TagLedger(new Client(`http://127.0.0.1:${port}`, contractOf(envToConfig(env))), tenant);
});
afterAll(() => rm(env.DATA_DIR, { recursive: true }));

test(`${kills} times kill -9 of the service while it writes`, async () => {
  const outcomes: Outcome[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const { code, written } = await endWhileWriting('SIGKILL');
    expect(code).toBeNull();
    outcomes.push(...written);
  }
  await expectNothingLost('kill -9 of the embedded service', outcomes);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s while it writes closes the database', async (signal) => {
  const { code, written } = await endWhileWriting(signal);
  expect(code).toBe(0);
  await expect(access(join(env.DATA_DIR, 'lock'))).rejects.toThrow('ENOENT');
  await expectNothingLost(`${signal} of the embedded service`, written);
});

/** Starts the service on the folder as the last one left it, and ends it at any moment while tags are written. */
async function endWhileWriting(signal: NodeJS.Signals): Promise<{ code: number | null; written: Outcome[] }> {
  await using service = await startService(env);
  const before = ledger.acknowledged;
  const load = startLoad(writers, (worker) => ledger.write(worker));
  await expect.poll(() => ledger.acknowledged, { interval: 5 }).toBeGreaterThan(before);
  await setTimeout(writingTime * Math.random());
  const code = await service.end(signal);
  return { code, written: await load.stop() };
}

async function expectNothingLost(name: string, written: Outcome[]): Promise<void> {
  const lost = await withDatabase((db) => ledger.findLost(db));
  console.log(`${name}: ${figuresOf(written)}; ${ledger.acknowledged} acknowledged so far, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(written.filter(({ status }) => ![0, 200, 201].includes(status))).toEqual([]);
}

async function withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
  const { db, close } = await connect(envToConfig(env), createLog('silent'));
  try {
    return await work(db);
  } finally {
    await close();
  }
}
