/** The page that stands for the full list. */
const fullList = -1;

/** Whether a number names a page of a lookup: 1 or more, or -1 for the full list. */
export function isPage(page: number): boolean {
  return Number.isInteger(page) && (page >= 1 || page === fullList);
}

/** The rows of a page; a page past the end is empty. */
export function pageOf<Row>(rows: readonly Row[], page: number, pageSize: number): readonly Row[] {
  return page === fullList ? rows : rows.slice((page - 1) * pageSize, page * pageSize);
}
