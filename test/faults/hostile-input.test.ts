import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startArena } from '../support/hostile/arena.ts';
import { graphqlRequests } from '../support/hostile/graphql.ts';
import { restRequests } from '../support/hostile/rest.ts';

const runs = 1_500;

const arena = use(await startArena());

// As in the tests of each surface, with many more requests. Another seed each time; TEST_SEED repeats a run.
test.each([
  ['REST', restRequests, [200, 201, 400, 401, 404, 415, 422]],
  ['GraphQL', graphqlRequests, [200, 400, 404, 405, 406, 415]],
] as const)(
  '%s answers requests at random, and none does harm',
  { timeout: 300_000 },
  async (surface, requests, expected) => {
    const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
    arena.statuses.clear();
    arena.writes = 0;
    const startedAt = performance.now();
    await fc.assert(
      fc.asyncProperty(requests(arena.known, arena.attacker.token), async (request) => {
        await arena.attack(request);
      }),
      { numRuns: runs, seed },
    );
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    const statuses = Object.fromEntries(arena.statuses);
    console.log(
      `${surface}: ${runs} requests in ${seconds} s, seed ${seed}, ${arena.writes} wrote; by status`,
      statuses,
    );
    // They got everywhere, so that what was not found is not there.
    expect(arena.writes).toBeGreaterThan(runs / 100);
    expect([...arena.statuses.keys()]).toEqual(expect.arrayContaining([...expected]));
  },
);
