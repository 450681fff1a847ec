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

/** Whether clocks in a zone show a time with that offset. */
function showsTime(timeZone: string, time: string, offset: string): boolean {
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(new Date(time)).replace(' ', 'T')}${offset}`) === Date.parse(time);
}

test.each(['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z'])(
  'every utc_offset is that of the clocks at %s',
  async (time) => {
    const timezones = await getAt(time);
    expect(timezones.length).toBeGreaterThan(400);
    expect(timezones.filter(({ name, utc_offset }) => !showsTime(name, time, utc_offset))).toEqual([]);
  },
);

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
