import { rowsInOrder } from '../../request/batches.ts';

/** Every brand type, by id. */
export const brandTypesInOrder = rowsInOrder((db) =>
  db.selectFrom('brandTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
);

/** Every cuisine type, by id. */
export const cuisineTypesInOrder = rowsInOrder((db) =>
  db.selectFrom('cuisineTypes').select(['id', 'nameEn', 'nameAr']).orderBy('id').execute(),
);

/** Every application, by id. Their names are never translated. */
export const applicationsInOrder = rowsInOrder((db) =>
  db.selectFrom('applications').select(['id', 'name as nameEn', 'name as nameAr']).orderBy('id').execute(),
);
