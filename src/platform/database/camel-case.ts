import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/** Kysely's plugin, but the drivers name the columns of a result: renaming its rows would take a tenth of a page's CPU time. */
class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }

  /** The name of a column in rows. */
  nameOf(column: string): string {
    return this.camelCase(column);
  }
}

export const camelCase = new CamelCase();
