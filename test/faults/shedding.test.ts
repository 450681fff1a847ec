import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startApp, use } from '../support/app.ts';
import { openSocket } from '../support/raw-http.ts';
import { createTenant } from '../support/tenant.ts';

const app = use(await startApp({ RATE_LIMIT: 'off', MAX_EVENT_LOOP_DELAY: '1000' }));
const partner = await createTenant(app.db);
const flooding = await createTenant(app.db);

/** Stops the event loop of the service, which is the test's. */
function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

// Each is another document, so that none is cached.
let documents = 0;
function read(token?: string): string {
  const body = JSON.stringify({ query: `{ viewer { partner { name } } a${documents++}: __typename }` });
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  return (
    `POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Opens so many connections; the function sends a request on each and returns how many got which status. */
async function prepare(count: number, request: () => string): Promise<() => Promise<Record<string, number>>> {
  const sockets = Array.from({ length: count }, () => openSocket(app.url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return async () => {
    const statuses = sockets.map(async (socket) => {
      socket.write(request());
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      socket.resume();
      const status = chunk.toString('latin1', 9, 12);
      if (status === '503') expect(chunk.toString()).toMatch(/^Retry-After: \d+\r$.*"code":"OVERLOADED"/ms);
      return status;
    });
    const groups = Map.groupBy(await Promise.all(statuses), (status) => status);
    return Object.fromEntries([...groups].map(([status, { length }]) => [status, length]));
  };
}

const overloads = () => app.logLines.flatMap(({ msg }) => (String(msg).endsWith('overloaded') ? [msg] : []));

test('an overload sheds load where it comes from, and ends', async () => {
  // Tokens that are in use count one by one.
  for (const { token } of [partner, flooding])
    expect(await (await prepare(1, () => read(token)))()).toEqual({ 200: 1 });
  await app.client.rest('GET', '/services');
  const floods = [
    await prepare(80, () => read()),
    await prepare(80, () => read(`pp_${String(documents).padStart(43, 'x')}`)),
    await prepare(80, () => read(flooding.token)),
  ];
  const others = {
    partner: await prepare(9, () => read(partner.token)),
    cached: await prepare(40, () => get('/partner_portal/v1/services')),
    probes: await prepare(9, () => get('/livez')),
  };
  await setTimeout(100);

  for (const flood of floods) {
    do {
      stall(1_200);
      await setTimeout(1);
    } while (overloads().at(-1) !== 'overloaded');
    expect((await flood())[503]).toBeGreaterThan(0);
  }
  expect(await others.partner()).toEqual({ 200: 9 });
  expect(await others.cached()).toEqual({ 200: 40 });
  expect(await others.probes()).toEqual({ 200: 9 });

  for (let time = 0; time < 14; time += 1) {
    const body = { name_en: `Tag ${time}` };
    expect((await app.client.rest('POST', '/product_tags', { token: partner.token, body })).status).toBe(201);
  }
  await expect.poll(() => overloads().at(-1)).toBe('no longer overloaded');
  expect(await (await prepare(40, () => read()))()).toEqual({ 401: 40 });
});

test('a single stall sheds no request with a token', async () => {
  const send = await prepare(40, () => read(partner.token));
  await setTimeout(500);
  const before = overloads().length;
  const sent = send();
  stall(1_200);
  expect(await sent).toEqual({ 200: 40 });
  expect(overloads().length).toBe(before);
});
