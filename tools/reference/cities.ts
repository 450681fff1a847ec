import assert from 'node:assert/strict';
import arabic from 'cldr-dates-full/main/ar/timeZoneNames.json' with { type: 'json' };
import english from 'cldr-dates-full/main/en/timeZoneNames.json' with { type: 'json' };
import { cityNames } from './city-names.ts';
import type { Country } from './countries.ts';
import gulfCities from './gulf-cities.json' with { type: 'json' };
import { assertNames, assertUnique, compare, withPermanentIds } from './records.ts';
import { listZones, type Zone } from './timezones.ts';

export interface City {
  id: number;
  /** CLDR's code of the city's time zone, or country and name for the cities listed by hand. */
  code: string;
  countryId: number;
  nameEn: string;
  nameAr: string;
}

/** The city after which each time zone is named, and the cities of gulf-cities.json. */
export function listCities(countries: Country[], existing: City[]): City[] {
  const countryIds = new Map(countries.map((country) => [country.shortCode, country.id]));
  const sources = [...listZones().map(nameZoneCity), ...gulfCities].sort((a, b) => compare(a.code, b.code));
  const fresh = sources.map(({ code, shortCode, nameEn, nameAr }) => {
    const countryId = countryIds.get(shortCode);
    assert(countryId, `${code}: ${shortCode} is no country`);
    return { code, countryId, nameEn, nameAr };
  });
  const cities = withPermanentIds(fresh, existing, 'code');
  assertUnique(cities, ['id', 'code']);
  assertUnique(cities, ['nameEn', 'nameAr'], (city) => city.countryId);
  for (const city of cities) assertNames(city, city.code);
  return cities.sort((a, b) => compare(a.code, b.code));
}

function nameZoneCity({ code, cldrName, shortCode }: Zone) {
  // Where English has no entry, CLDR's rule is the last part of the zone's name.
  const nameEn = findExemplarCity(english.main.en.dates.timeZoneNames.zone, cldrName) ?? lastPart(cldrName);
  const nameAr = findExemplarCity(arabic.main.ar.dates.timeZoneNames.zone, cldrName) ?? '';
  return { code, shortCode, nameEn, nameAr, ...cityNames[code] };
}

interface ZoneTree {
  [part: string]: ZoneTree | string;
}

function findExemplarCity(zones: ZoneTree, cldrName: string): string | undefined {
  let node: ZoneTree | string | undefined = zones;
  for (const part of [...cldrName.split('/'), 'exemplarCity']) {
    node = typeof node === 'object' ? node[part] : undefined;
  }
  return typeof node === 'string' ? node : undefined;
}

function lastPart(cldrName: string): string {
  return cldrName.slice(cldrName.lastIndexOf('/') + 1).replaceAll('_', ' ');
}
