import assert from 'node:assert/strict';
import bcp47 from 'cldr-bcp47/bcp47/timezone.json' with { type: 'json' };
import { assertUnique, compare, withPermanentIds } from './records.ts';

export interface Timezone {
  id: number;
  /** Current IANA name. */
  name: string;
}

/** A CLDR time zone: its permanent short code, CLDR's own (sometimes outdated) name, the IANA name, its country. */
export interface Zone {
  code: string;
  cldrName: string;
  ianaName: string;
  shortCode: string;
}

/** All geographic IANA zones and UTC. */
export function listTimezones(existing: Timezone[]): Timezone[] {
  const names = [...listZones().map((zone) => zone.ianaName), 'UTC'].sort(compare);
  const timezones = withPermanentIds(
    names.map((name) => ({ name })),
    existing,
    'name',
  );
  assertUnique(timezones, ['id', 'name']);
  for (const { name } of timezones) new Intl.DateTimeFormat('en', { timeZone: name }); // throws on an unknown name
  return timezones.sort((a, b) => compare(a.name, b.name));
}

/** The zones Node supports, in CLDR's words. */
export function listZones(): Zone[] {
  const known = new Map(describeZones().map((zone) => [zone.cldrName, zone]));
  return Intl.supportedValuesOf('timeZone').map((name) => {
    const zone = known.get(name);
    assert(zone, `${name} is missing from cldr-bcp47`);
    return zone;
  });
}

function describeZones(): Zone[] {
  const entries: Record<string, string | Partial<Record<string, string | boolean>>> = bcp47.keyword.u.tz;
  return Object.entries(entries).flatMap(([code, entry]) => {
    if (typeof entry === 'string' || typeof entry._alias !== 'string' || entry._deprecated) return [];
    const [cldrName = ''] = entry._alias.split(' ');
    const ianaName = String(entry._iana ?? cldrName);
    const shortCode = String(entry._region ?? code.slice(0, 2).toUpperCase());
    return [{ code, cldrName, ianaName, shortCode }];
  });
}
