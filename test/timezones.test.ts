import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sharedApp } from './support/app.ts';

interface Timezone {
  id: number;
  name: string;
  utc_offset: string;
}

const app = await sharedApp();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function getAt(time: string): Promise<Timezone[]> {
  vi.setSystemTime(time);
  return (await app.client.rest('GET', '/timezones')).body.timezones;
}

const offsetAt = async (zone: string, time: string) =>
  (await getAt(time)).find(({ name }) => name === zone)?.utc_offset;

/** What the clocks of a zone show, less what those of UTC show. */
function clockOffset(timeZone: string, time: string): string {
  const clock = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(time),
  );
  const minutes = Math.round((Date.parse(`${clock.replace(' ', 'T')}Z`) - Date.parse(time)) / 60_000);
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(Math.abs(minutes) / 60))}:${digits(Math.abs(minutes) % 60)}`;
}

const winter = '2026-01-15T12:00:00Z';
const summer = '2026-07-15T12:00:00Z';

describe('utc_offset', () => {
  test.each([
    { zone: 'UTC', inWinter: '+00:00', inSummer: '+00:00' },
    { zone: 'Asia/Riyadh', inWinter: '+03:00', inSummer: '+03:00' },
    { zone: 'Asia/Kolkata', inWinter: '+05:30', inSummer: '+05:30' },
    { zone: 'Asia/Kathmandu', inWinter: '+05:45', inSummer: '+05:45' },
    { zone: 'Europe/London', inWinter: '+00:00', inSummer: '+01:00' },
    { zone: 'Europe/Berlin', inWinter: '+01:00', inSummer: '+02:00' },
    { zone: 'America/New_York', inWinter: '-05:00', inSummer: '-04:00' },
    { zone: 'America/St_Johns', inWinter: '-03:30', inSummer: '-02:30' },
    { zone: 'Australia/Lord_Howe', inWinter: '+11:00', inSummer: '+10:30' },
    { zone: 'Pacific/Kiritimati', inWinter: '+14:00', inSummer: '+14:00' },
  ])('of $zone is $inWinter in January and $inSummer in July', async ({ zone, inWinter, inSummer }) => {
    expect(await offsetAt(zone, winter)).toBe(inWinter);
    expect(await offsetAt(zone, summer)).toBe(inSummer);
  });

  test.each([winter, summer])('of every zone is what its clocks show at %s', async (time) => {
    for (const { name, utc_offset } of await getAt(time)) {
      expect(`${name} ${utc_offset}`).toBe(`${name} ${clockOffset(name, time)}`);
    }
  });

  test.each([
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '+01:00', '+02:00'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '+02:00', '+01:00'],
    ['Africa/Cairo', '2026-04-23T22:00:00Z', '+02:00', '+03:00'],
  ])('of %s changes with its clocks at %s from %s to %s', async (zone, time, before, after) => {
    const second = (shift: number) => new Date(Date.parse(time) + shift).toISOString();
    expect([await offsetAt(zone, second(-1_000)), await offsetAt(zone, second(0))]).toEqual([before, after]);
  });
});
