import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { listCitySummaries } from '../../domain/reference/cities/city.queries.ts';
import { hasCountry } from '../../domain/reference/countries/country.queries.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';

export function cityCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command('city list', 'list the cities that an address can name', '--country SA')
      .option('--country <code>', 'two letters, such as SA', (text) => text.toUpperCase())
      .action(({ country }) =>
        admin.list(async (db) => {
          if (country !== undefined && !(await hasCountry(db, country)))
            throw new StartError(`There is no country "${country}". Country codes have two letters (ISO 3166).`);
          const cities = await listCitySummaries(db, country);
          return [
            cities.map(({ id, code, country, nameEn, nameAr }) => ({
              id,
              code,
              country,
              name_en: nameEn,
              name_ar: nameAr,
            })),
          ];
        }, 'There are no such cities.'),
      ),
  ];
}
