import { listCities } from '../../domain/reference/cities/city.queries.ts';
import type { Admin } from './admin.ts';

export function addCityCommands(admin: Admin): void {
  admin
    .group('city', 'cities of addresses')('list', 'list the cities that an address can name', '--country SA')
    .option('--country <code>', 'two letters, such as SA', (text) => text.toUpperCase())
    .action(({ country }) => admin.list((db) => listCities(db, country), 'There are no such cities.'));
}
