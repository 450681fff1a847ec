import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { figuresOf, startLoad } from '../support/load.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { TagLedger } from '../support/tag-ledger.ts';
import { answeringPids, logLines } from '../support/workers.ts';

let gateway: Gateway;
afterEach(() => gateway[Symbol.asyncDispose]());

test('a worker killed -9 under load: what it had in hand fails, nothing else, and no acknowledged write is lost', async () => {
  gateway = await startGateway({ WORKERS: '2', LOG_LEVEL: 'info' });
  const { client, db, service, tenant } = gateway;
  const [killed = 0] = await answeringPids(service);
  const ledger = new TagLedger(client, tenant);
  const reads = startLoad(16, () => client.rest('GET', '/countries'));
  const writes = startLoad(8, (worker) => ledger.write(worker));
  // One connection a request: each is handed over anew.
  const anew = startLoad(4, async () => {
    const answer = await exchangeRaw(service.url, {
      method: 'GET',
      target: '/partner_portal/v1/services',
      headers: [],
    });
    return { status: answer?.status ?? 0, headers: new Headers() };
  });
  await setTimeout(1_000);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => started().length).toBe(1);
  await setTimeout(1_000);
  const outcomes = [...(await reads.stop()), ...(await writes.stop()), ...(await anew.stop())];
  const failed = outcomes.filter(({ status }) => status < 200 || status > 299);

  console.log(`a worker killed -9: ${figuresOf(outcomes)}`);
  // One for each of the load's connections at most, and of those, what the worker had in hand.
  expect(failed.length).toBeLessThanOrEqual(16 + 8 + 4);
  // Node forgets a connection that was on its way to the worker: that client waits until its own time-out.
  expect(failed.every(({ status }) => status === 0)).toBe(true);
  expect(await ledger.findLost(db)).toEqual([]);

  function started() {
    return logLines(service).filter(({ msg }) => msg === 'worker replaced');
  }
});
