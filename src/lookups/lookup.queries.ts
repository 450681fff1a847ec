import type { Database } from '../database/database.ts';
import { fullList } from './page.ts';

export type TranslatedLookup = 'brandTypes' | 'cuisineTypes' | 'services';

interface Paging {
  /** 1 or more, or -1 for the full list. */
  page: number;
  pageSize: number;
}

/** A page of a lookup whose records are named in both languages, by id. A page past the end is empty. */
export async function listTranslatedLookup(db: Database, table: TranslatedLookup, { page, pageSize }: Paging) {
  return db
    .selectFrom(table)
    .select(['id', 'nameEn', 'nameAr'])
    .orderBy('id')
    .$if(page !== fullList, (query) => query.limit(pageSize).offset((page - 1) * pageSize))
    .execute();
}

/** A page of the applications, by id. A page past the end is empty. */
export async function listApplications(db: Database, { page, pageSize }: Paging) {
  return db
    .selectFrom('applications')
    .select(['id', 'name'])
    .orderBy('id')
    .$if(page !== fullList, (query) => query.limit(pageSize).offset((page - 1) * pageSize))
    .execute();
}
