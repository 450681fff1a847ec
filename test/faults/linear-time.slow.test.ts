import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import { exchangeRaw, type RawRequest } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';
import { type Input, inputs } from './hostile-inputs.ts';

/** Maximum growth of the time for four times the size: 4 is linear, 16 quadratic. */
const maxGrowth = 8;

/** Maximum time, as a multiple of that of a harmless request of the same size. */
const maxStall = 50;

/** In ms. */
const noise = 4;

const database = use(await copyTemplate());
const { db } = use(await openDatabase(database.env));
const { token } = await createTenant(db);
const service = use(await startService({ ...database.env, RATE_LIMIT: 'off' }));
const { body } = await service.client.rest('POST', '/product_tags', { token, body: { name_en: 'One' } });

let requests = 0;

const places = Map.groupBy(inputs(token, body.id), ({ name }) => name.replace(/:.*/, ''));

test.each([...places])('CPU time is linear in the size of the %s', async (_place, all) => {
  const [one] = all as [Input];
  const harmless = await measure(harmlessLike(one), one.max);
  const found: string[] = [];
  for (const input of all) {
    const first = await measure(input, input.max / 16, maxStall * noise);
    const figures = await disproportionate(input, first, harmless);
    // Garbage collection may disturb a measurement; a defect fails each time.
    const again = figures && (await disproportionate(input, first, harmless));
    if (again !== undefined) found.push(again);
  }
  expect(found).toEqual([]);
});

/** The figures of an input that takes too long, given the times of a small and of a harmless request in ms. */
async function disproportionate(input: Input, first: number, harmless: number): Promise<string | undefined> {
  // An input that is slow at a small size is not tried at full size.
  const stalls = first > maxStall * noise;
  const enough = Math.max(noise, 2 * harmless);
  const large = stalls ? Number.POSITIVE_INFINITY : await measure(input, input.max, enough);
  if (large <= enough) return undefined;
  const small = await measure(input, input.max / 4);
  const medium = stalls ? large : await measure(input, input.max / 2);
  const least = Math.max(small, noise / 4);
  const isDisproportionate = large > maxGrowth * least && medium > 2 * least;
  const isStall = large > maxStall * Math.max(harmless, noise / 4);
  const figures = [small, medium, large, harmless].map((ms) => ms.toFixed(1));
  const line = `${input.name}: a quarter, half, the whole, and harmless: ${figures.join(', ')} ms`;
  return isDisproportionate || isStall ? line : undefined;
}

/** The shortest time in ms that the main thread was busy with one of up to three requests, until one takes `enough`. */
async function measure(input: Pick<Input, 'request'>, size: number, enough = noise): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least > enough; round += 1) {
    requests += 1;
    const request = input.request(Math.floor(size), `Q${requests}`);
    const before = await busyTime();
    await exchangeRaw(service.url, request).catch(() => undefined);
    // The kernel updates the figure when the thread sleeps.
    await setTimeout(2);
    least = Math.min(least, (await busyTime()) - before);
  }
  return least;
}

// CPU time, so that other processes do not count.
async function busyTime(): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${service.pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}

/** A request with as many bytes in the same place that need no processing. */
function harmlessLike(input: Input): Pick<Input, 'request'> {
  return {
    request(size, mark): RawRequest {
      const { body, headers } = input.request(size, mark);
      if (body === undefined || size < 15_000) {
        return { method: 'GET', target: '/partner_portal/v1/countries', headers: [['X-Padding', 'a'.repeat(size)]] };
      }
      const query = `query ${mark} { services { id } }`;
      const text = JSON.stringify({ query, extensions: { padding: 'a'.repeat(body.length - 100) } });
      const type = headers.find(([name]) => name === 'Content-Type') ?? (['Content-Type', 'application/json'] as const);
      return { method: 'POST', target: '/graphql', headers: [type], body: Buffer.from(text) };
    },
  };
}
