import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { createRandom } from '../support/random.ts';
import { formatFigures, type Outcome, startLoad } from '../support/request-load.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const random = createRandom();

const writers = 4;
/** Maximum time that a process writes before it is killed, in ms. */
const writingTime = 1_000;

const { env } = use(await copyTemplate());
let tenant: Tenant;
{
  await using connection = await openDatabase(env);
  tenant = await createTenant(connection.db, { products: 12 });
}

test.each([
  ['SIGKILL', 4, null],
  ['SIGTERM', 1, 0],
] as const)('%s during writes, %i times: loses no acknowledged write, exit code %j', async (signal, times, code) => {
  const ledgers: TagLedger[] = [];
  const outcomes: Outcome[] = [];
  for (let time = 0; time < times; time++) {
    await using service = await startService({ ...env, RATE_LIMIT: 'off' });
    const ledger = new TagLedger(service.client, tenant);
    const load = startLoad(writers, (worker) => ledger.write(worker));
    await expect.poll(() => ledger.acknowledged, { interval: 5 }).toBeGreaterThan(0);
    await setTimeout(writingTime * random());
    expect(await service.end(signal)).toBe(code);
    outcomes.push(...(await load.stop()));
    ledgers.push(ledger);
  }
  expect(existsSync(join(env.DATA_DIR as string, 'lock'))).toBe(code !== 0);

  await using connection = await openDatabase(env);
  const lost = (await Promise.all(ledgers.map((ledger) => ledger.findLost(connection.db)))).flat();
  const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0);
  console.log(`${signal}: ${formatFigures(outcomes)}; ${acknowledged} acknowledged, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(outcomes.filter(({ status }) => ![0, 200, 201].includes(status))).toEqual([]);
});
