const fullList = -1;

/** Whether a page of a lookup exists as a number: from 1, or -1 for the full list. */
export function isPage(page: number): boolean {
  return page >= 1 || page === fullList;
}

/** The rows of a page. */
export function pageOf<Row>(rows: readonly Row[], page: number, pageSize: number): readonly Row[] {
  return page === fullList ? rows : rows.slice((page - 1) * pageSize, page * pageSize);
}
