import type { Database } from '../../tables.ts';

export function selectBrandTypes(db: Database) {
  return db.selectFrom('brandTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id');
}

export function selectCuisineTypes(db: Database) {
  return db.selectFrom('cuisineTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id');
}

/** The names of applications are never translated. */
export function selectApplications(db: Database) {
  return db.selectFrom('applications').select(['id', 'name as nameEn', 'name as nameAr']).orderBy('id');
}
