import assert from 'node:assert/strict';
import codeMappings from 'cldr-core/supplemental/codeMappings.json' with { type: 'json' };
import { type City, listCities } from './cities.ts';
import { listCountries } from './countries.ts';
import { isStale, readRecords, renderRecords, writeText } from './records.ts';
import { listTimezones, type Timezone } from './timezones.ts';

assertSameCldr();

const countries = listCountries();
const outputs = {
  'countries.json': renderRecords(countries),
  'timezones.json': renderRecords(listTimezones(readRecords<Timezone>('timezones.json'))),
  'cities.json': renderRecords(listCities(countries, readRecords<City>('cities.json'))),
};
const stale = Object.entries(outputs).filter(([file, text]) => isStale(file, text));

if (process.argv.includes('--check')) {
  for (const [file] of stale) console.error(`stale: src/domain/reference/seed/lists/${file} (run npm run reference)`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  if (stale.length === 0) console.log('src/domain/reference/seed/lists is up to date');
  for (const [file, text] of stale) {
    writeText(file, text);
    console.log(`wrote src/domain/reference/seed/lists/${file}`);
  }
}

/** Country names come from the Node in use, all else from the pinned packages: both must be of one CLDR release. */
function assertSameCldr(): void {
  const node = process.versions.cldr?.split('.')[0];
  const packages = codeMappings.supplemental.version._cldrVersion;
  assert.equal(node, packages, `Node ${process.version} has CLDR ${node}, the packages have ${packages}`);
}
