import type { SchemaObject } from 'openapi3-ts/oas31';
import { nameLength } from '../../../domain/partner/product-tags/product-tag-name.ts';

const name = { description: 'Name in the language asked for: `name_en` or `name_ar`.' };

/**
 * Where v1 has other words than the GraphQL schema for what its documents ask for, which knows no header and no v1 name, and
 * what JSON Schema can say beyond it.
 */
export const wording: Record<string, SchemaObject> = {
  Country: { description: 'A country as the listing gives it.' },
  'Country.name': name,
  EmbeddedCountry: { description: 'A country nested in another resource: no id and no localized name.' },
  'EmbeddedCountry.dialCode': { pattern: '^\\+[0-9]+$' },
  'EmbeddedCountry.shortCode': { pattern: '^[A-Z]{2}$' },
  'City.name': name,
  'City.countryId': { description: 'Id of its country, as in the listing of countries.' },
  'Timezone.utcOffset': { pattern: '^[+-][0-9]{2}:[0-9]{2}$' },
  'Service.name': name,
  'LookupEntry.key': { enum: ['id', 'week_day'] },
  'ProductTag.nameEn': { minLength: nameLength.min, maxLength: nameLength.max },
  'ProductTag.nameAr': { minLength: nameLength.min, maxLength: nameLength.max },
  'ProductTag.name': {
    description: `${name.description.slice(0, -1)}, which is null while it is unset.`,
  },
};
