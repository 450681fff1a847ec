import type { LocalizedName } from '../../../kernel/localization/localized-name.ts';
import type { ReferenceRead, ReferenceSnapshot } from '../reference-snapshot.ts';
import { serviceListing } from '../services/service.queries.ts';

export type TranslatedLookup = 'brandTypes' | 'cuisineTypes' | 'services';

/** All records of each lookup that is named in both languages, by id. */
export const translatedLookups: Record<TranslatedLookup, ReferenceRead<(LocalizedName & { id: number })[]>> = {
  brandTypes: (snapshot) => listTranslated(snapshot, 'brandTypes'),
  cuisineTypes: (snapshot) => listTranslated(snapshot, 'cuisineTypes'),
  services: serviceListing,
};

/** All applications, by id. */
export async function applicationListing({ db }: ReferenceSnapshot) {
  return db.selectFrom('applications').select(['id', 'name']).orderBy('id').execute();
}

async function listTranslated({ db }: ReferenceSnapshot, table: Exclude<TranslatedLookup, 'services'>) {
  return db.selectFrom(table).select(['id', 'nameEn', 'nameAr']).orderBy('id').execute();
}
