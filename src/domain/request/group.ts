/** The rows of each key, in the keys' order; a key without rows gets an empty list. */
export function groupByKey<Row, Id>(ids: readonly Id[], rows: readonly Row[], idOf: (row: Row) => Id): Row[][] {
  const groups = Map.groupBy(rows, idOf);
  return ids.map((id) => groups.get(id) ?? []);
}

/** The row of each key, in the keys' order; undefined where there is none. */
export function pickByKey<Row, Id>(
  ids: readonly Id[],
  rows: readonly Row[],
  idOf: (row: Row) => Id,
): (Row | undefined)[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  return ids.map((id) => byId.get(id));
}
