import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TimezonesDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { byId, languages } from './support/reference.ts';

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
  const { status, body } = await app.client.rest('GET', '/timezones');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['timezones']);
  return body.timezones;
}

async function offsetsAt(time: string): Promise<Record<string, string>> {
  return Object.fromEntries((await getAt(time)).map((timezone) => [timezone.name, timezone.utc_offset]));
}

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
    expect((await offsetsAt(winter))[zone]).toBe(inWinter);
    expect((await offsetsAt(summer))[zone]).toBe(inSummer);
  });

  test.each([winter, summer])('of every zone is what its clocks show at %s', async (time) => {
    for (const { name, utc_offset } of await getAt(time)) {
      expect(`${name} ${utc_offset}`).toBe(`${name} ${clockOffset(name, time)}`);
    }
  });

  test.each([
    {
      zone: 'Europe/Berlin',
      before: '2026-03-29T00:59:59Z',
      after: '2026-03-29T01:00:00Z',
      offsets: ['+01:00', '+02:00'],
    },
    {
      zone: 'Europe/Berlin',
      before: '2026-10-25T00:59:59Z',
      after: '2026-10-25T01:00:00Z',
      offsets: ['+02:00', '+01:00'],
    },
    {
      zone: 'Africa/Cairo',
      before: '2026-04-23T21:59:59Z',
      after: '2026-04-23T22:00:00Z',
      offsets: ['+02:00', '+03:00'],
    },
  ])('of $zone changes with its clocks at $after', async ({ zone, before, after, offsets }) => {
    expect([(await offsetsAt(before))[zone], (await offsetsAt(after))[zone]]).toEqual(offsets);
  });
});

test('REST has every time zone with its offset, and nothing else', async () => {
  const rows = await app.db.selectFrom('timezones').select(['id', 'name']).orderBy('id').execute();
  expect(byId(await getAt(summer))).toStrictEqual(
    rows.map(({ id, name }) => ({ id, name, utc_offset: clockOffset(name, summer) })),
  );
});

test('time zones are in the order of their names', async () => {
  const names = (await getAt(winter)).map((timezone) => timezone.name);
  expect(names).toEqual(names.toSorted());
});

test.each(languages)('in %s GraphQL lists the same time zones', async (language) => {
  const rest = await getAt(summer);
  const { body } = await app.client.graphql(TimezonesDocument, {}, { language });
  expect(body.data?.timezones.map(({ id, name, utcOffset }) => ({ id, name, utc_offset: utcOffset }))).toStrictEqual(
    rest,
  );
});
