import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/** Converts each column name once instead of once per row. */
class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return { ...result, rows: this.renameColumns(result.rows) };
  }

  renameColumns(rows: UnknownRow[]): UnknownRow[] {
    const names = Object.keys(rows[0] ?? {}).map((column) => [column, this.camelCase(column)] as const);
    if (names.every(([column, name]) => column === name)) return rows;
    return rows.map((row) => {
      const renamed: UnknownRow = {};
      for (const [column, name] of names) renamed[name] = row[column];
      return renamed;
    });
  }
}

export const camelCase = new CamelCase();
