import {
  type CompiledQuery,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type UnknownRow,
} from 'kysely';
import { camelCase } from './camel-case.ts';

export interface Query<Row = unknown> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/** Runs queries in order in one round trip; a query sees the changes that earlier ones made or waited for. */
export async function pipeline<Tables, Rows extends unknown[]>(
  transaction: Kysely<Tables>,
  queries: readonly [...{ [Place in keyof Rows]: Query<Rows[Place]> }],
): Promise<{ [Place in keyof Rows]: Rows[Place][] }> {
  const compiled = (queries as readonly Query[]).map((query) => query.compile(transaction));
  const results = await transaction
    .getExecutor()
    .provideConnection((connection) =>
      Promise.all(compiled.map((query) => connection.executeQuery<UnknownRow>(query))),
    );
  return results.map(({ rows }) => camelCase.renameColumns(rows)) as { [Place in keyof Rows]: Rows[Place][] };
}

/** Lists of any length share one statement text. */
export function anyId(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::integer[])`;
}

export function anyDiffers(changes: object): RawBuilder<boolean> {
  const columns = Object.keys(changes).map((column) => sql.ref(column));
  return sql<boolean>`(${sql.join(columns)}) is distinct from (${sql.join(Object.values(changes))})`;
}
