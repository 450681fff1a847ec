import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startArena } from './arena.ts';
import { requests } from './requests.ts';

const runs = 1_500;
const arena = use(await startArena());

// As in the service's tests, with many more requests. Another seed each time; TEST_SEED repeats a run.
test.each([
  ['REST', [200, 201, 400, 401, 404, 415, 422]],
  ['GraphQL', [200, 400, 404, 405, 406, 415]],
] as const)('%s answers requests at random, and none does harm', async (surface, expected) => {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
  arena.statuses.clear();
  arena.writes = 0;
  const any = fc.asyncProperty(requests(surface, arena.known, arena.attacker.token), async (request) => {
    await arena.attack(request);
  });
  await fc.assert(any, { numRuns: runs, seed });
  console.log(`${surface}: ${runs} requests, seed ${seed}, ${arena.writes} wrote`, Object.fromEntries(arena.statuses));
  // They got everywhere, so that what was not found is not there.
  expect(arena.writes).toBeGreaterThan(runs / 100);
  expect([...arena.statuses.keys()]).toEqual(expect.arrayContaining([...expected]));
});
