import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sharedApp, startApp } from '../support/test-app.ts';

const app = await sharedApp();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function getAt(time: string): Promise<Record<'name' | 'utc_offset', string>[]> {
  vi.setSystemTime(time);
  return (await app.client.rest('GET', '/timezones')).body.timezones;
}

test('every utc_offset is correct in winter and in summer', async () => {
  const clocks = new Map<string, Intl.DateTimeFormat>();
  for (const time of ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']) {
    const timezones = await getAt(time);
    expect(timezones.length).toBeGreaterThan(400);
    const wrong = timezones.filter(({ name: timeZone, utc_offset }) => {
      const clock =
        clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
      clocks.set(timeZone, clock);
      return Date.parse(`${clock.format(new Date(time)).replace(' ', 'T')}${utc_offset}`) !== Date.parse(time);
    });
    expect(wrong).toEqual([]);
  }
});

test.each([
  ['Europe/London', '2026-03-29T01:00:00Z', '+00:00', '+01:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '+10:30', '+11:00'],
  ['America/St_Johns', '2026-11-01T04:30:00Z', '-02:30', '-03:30'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z', '+02:00', '+03:00'],
])('the utc_offset of %s changes at %s from %s to %s', async (zone, time, before, after) => {
  const offsetAt = async (shift: number) => {
    const timezones = await getAt(new Date(Date.parse(time) + shift).toISOString());
    return timezones.find(({ name }) => name === zone)?.utc_offset;
  };
  expect([await offsetAt(-1_000), await offsetAt(0)]).toEqual([before, after]);
});

test('a response is consistent even if clocks change during it', async () => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  const readOffsets = async (query: string) =>
    (await app.client.graphql(query)).body.data.timezones.map((zone: { utcOffset: string }) => zone.utcOffset);
  vi.setSystemTime(change - 1_000);
  const before = await readOffsets('{ timezones { utcOffset } }');
  let reads = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
    reads += 1;
    return change - 200 + reads;
  });
  onTestFinished(() => clock.mockRestore());
  // Another document, because the response to the first is cached.
  expect(await readOffsets('{ timezones { name utcOffset } }')).toEqual(before);
});

const find = async (name: string, { client } = app) =>
  (await client.graphql('query ($name: String!) { timezone(name: $name) { name utcOffset } }', { name })).body.data
    .timezone;

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['America/Godthab', 'America/Nuuk'],
])('GraphQL finds a time zone by its older name %s and by %s', async (older, name) => {
  const listed = (await getAt('2026-01-15T12:00:00Z')).find((zone) => zone.name === name);
  const zone = { name, utcOffset: listed?.utc_offset };
  expect([await find(older), await find(name), await find(name.toLowerCase())]).toEqual([zone, zone, zone]);
});

test('GraphQL finds no time zone by an unknown or fixed-offset name', async () => {
  for (const name of [
    'Etc/GMT-3',
    'Etc/GMT+12',
    '',
    'Asia',
    'Asia/Nowhere',
    '+03:00',
    ' Asia/Riyadh',
    '\0',
    'A'.repeat(1_000),
    '__proto__',
  ])
    expect([name, await find(name)]).toEqual([name, null]);
});

test('GraphQL finds a time zone that is listed by an older name', async () => {
  await using own = await startApp();
  await own.db.updateTable('timezones').set({ name: 'Asia/Calcutta' }).where('name', '=', 'Asia/Kolkata').execute();
  for (const name of ['Asia/Calcutta', 'Asia/Kolkata'])
    await expect.poll(() => find(name, own)).toMatchObject({ name: 'Asia/Calcutta' });
});
