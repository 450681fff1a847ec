import assert from 'node:assert/strict';
import aliases from 'cldr-core/supplemental/aliases.json' with { type: 'json' };
import codeMappings from 'cldr-core/supplemental/codeMappings.json' with { type: 'json' };
import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js';
import { assertNames, assertUnique, compare } from './records.ts';

export interface Country {
  /** ISO 3166-1 numeric code, so it never changes. */
  id: number;
  /** ISO 3166-1 alpha-2 code. */
  shortCode: string;
  nameEn: string;
  nameAr: string;
  dialCode: string;
}

/** Every country and territory of ISO 3166-1. */
export function listCountries(): Country[] {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const arabic = new Intl.DisplayNames('ar', { type: 'region', fallback: 'none' });
  const countries = listIsoCodes().map(([shortCode, id]) => ({
    id,
    shortCode,
    nameEn: english.of(shortCode) ?? '',
    nameAr: arabic.of(shortCode) ?? '',
    dialCode: findDialCode(shortCode),
  }));
  assert.equal(countries.length, 249, 'countries in ISO 3166-1');
  assertUnique(countries, ['id', 'shortCode', 'nameEn', 'nameAr']);
  for (const country of countries) assertNames(country, country.shortCode);
  return countries.sort((a, b) => compare(a.shortCode, b.shortCode));
}

function listIsoCodes(): [shortCode: string, numeric: number][] {
  const mappings: Record<string, Partial<Record<string, string>>> = codeMappings.supplemental.codeMappings;
  const withdrawn = new Set(Object.keys(aliases.supplemental.metadata.alias.territoryAlias));
  return Object.entries(mappings)
    .filter(([code]) => /^[A-Z]{2}$/.test(code) && !withdrawn.has(code))
    .map(([code, { _numeric }]): [string, number] => [code, Number(_numeric ?? 0)])
    .filter(([, numeric]) => numeric > 0 && numeric < 900); // from 900 on: private use, such as XK (Kosovo)
}

/** Territories that libphonenumber-js leaves out; mostly uninhabited, they use a neighbour's or the owner's code. */
const remoteDialCodes: Partial<Record<string, string>> = {
  AQ: '+672', // Antarctica: Australian external territories
  BV: '+47', // Bouvet Island: Norway
  GS: '+500', // South Georgia: Falkland Islands
  HM: '+672', // Heard and McDonald Islands: Australian external territories
  PN: '+64', // Pitcairn Islands: New Zealand
  TF: '+262', // French Southern Territories: Réunion
  UM: '+1', // U.S. Outlying Islands: United States
};

function findDialCode(shortCode: string): string {
  const remote = remoteDialCodes[shortCode];
  const known = isSupportedCountry(shortCode);
  assert.notEqual(known, remote !== undefined, `${shortCode} needs exactly one source of its dial code`);
  return known ? `+${getCountryCallingCode(shortCode)}` : (remote ?? '');
}
