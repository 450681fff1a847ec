import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/** Kysely's plugin, which renames every key of every row, and of JSON in it: here the columns of a result are, once. */
export class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (first === undefined) return result;
    const columns = Object.keys(first);
    const names = columns.map((column) => this.camelCase(column));
    if (names.every((name, index) => name === columns[index])) return result;
    const empty = Object.fromEntries(names.map((name) => [name, undefined]));
    return { ...result, rows: result.rows.map((row) => rename(row, columns, names, empty)) };
  }
}

function rename(row: UnknownRow, columns: string[], names: string[], empty: UnknownRow): UnknownRow {
  // A copy has all of its properties already, which is faster than to add them one by one.
  const renamed = { ...empty };
  for (let index = 0; index < columns.length; index += 1) {
    renamed[names[index] as string] = row[columns[index] as string];
  }
  return renamed;
}
