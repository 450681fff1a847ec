import { V1CountriesDocument } from './documents.generated.ts';
import { listOperation } from './list.ts';

export const listCountries = listOperation(V1CountriesDocument, {
  id: 'listCountries',
  path: '/countries',
  summary: 'Countries',
  description: 'All countries: Saudi Arabia first, then the others by their name in the language asked for.',
});
