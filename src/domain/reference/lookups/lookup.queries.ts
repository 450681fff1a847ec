import type { LocalizedName } from '../../../kernel/localization/localized-name.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-data.ts';
import { serviceListing } from '../services/service.queries.ts';

type Translated = ReferenceRead<(LocalizedName & { id: number })[]>;

/** All records of each lookup that is named in both languages, by id. */
export const translatedLookups = {
  brandTypes: (snapshot) => listTranslated(snapshot, 'brandTypes'),
  cuisineTypes: (snapshot) => listTranslated(snapshot, 'cuisineTypes'),
  services: serviceListing,
} satisfies Record<string, Translated>;

/** All applications, by id. */
export async function applicationListing({ db }: ReferenceSnapshot) {
  return db.selectFrom('applications').select(['id', 'name']).orderBy('id').execute();
}

async function listTranslated({ db }: ReferenceSnapshot, table: 'brandTypes' | 'cuisineTypes') {
  return db.selectFrom(table).select(['id', 'nameEn', 'nameAr']).orderBy('id').execute();
}
