import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type CitySummary, listCitySummaries } from '../../../domain/reference/cities/city.queries.ts';
import type { Admin } from '../admin.ts';
import { ensureCountry } from '../ensure.ts';
import { examples } from '../examples.ts';
import { type Column, onePage, printRows } from '../rows.ts';

const columns: Column<CitySummary>[] = [
  { name: 'id', value: (city) => city.id },
  { name: 'code', value: (city) => city.code },
  { name: 'country', value: (city) => city.country },
  { name: 'name_en', value: (city) => city.nameEn },
  { name: 'name_ar', value: (city) => city.nameAr },
];

/** `city list`: the cities that addresses can name. */
export function listCities({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list the cities, of one country if wanted')
    .option('--country <code>', 'two letters, such as SA', (text) => text.toUpperCase())
    .option('--json', 'print JSON')
    .addHelpText('after', examples('--country SA'))
    .action(({ country, json }) =>
      withDatabase(async (db) => {
        if (country !== undefined) await ensureCountry(db, country);
        await printRows(terminal, columns, onePage(listCitySummaries(db, country)), {
          json,
          none: 'There are no such cities.',
        });
      }),
    );
}
