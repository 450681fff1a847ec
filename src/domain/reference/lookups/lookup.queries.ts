import { rowsInOrder } from '../../request/batches.ts';

export const brandTypesInOrder = rowsInOrder((db) =>
  db.selectFrom('brandTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
);

export const cuisineTypesInOrder = rowsInOrder((db) =>
  db.selectFrom('cuisineTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
);

/** The names of applications are never translated. */
export const applicationsInOrder = rowsInOrder((db) =>
  db.selectFrom('applications').select(['id', 'name as nameEn', 'name as nameAr']).orderBy('id').execute(),
);
