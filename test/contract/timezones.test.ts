import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sharedApp } from '../support/test-app.ts';

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

test('every utc_offset is that of the clocks, in winter and in summer', async () => {
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
])('the utc_offset of %s changes with its clocks at %s from %s to %s', async (zone, time, before, after) => {
  const offsetAt = async (shift: number) => {
    const timezones = await getAt(new Date(Date.parse(time) + shift).toISOString());
    return timezones.find(({ name }) => name === zone)?.utc_offset;
  };
  expect([await offsetAt(-1_000), await offsetAt(0)]).toEqual([before, after]);
});
