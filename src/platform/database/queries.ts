import {
  type CompiledQuery,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
  type UnknownRow,
} from 'kysely';
import { camelCase } from './camel-case.ts';

/** A query as Kysely builds it. */
export interface Query<Row = unknown> {
  compile(executor: QueryExecutorProvider): CompiledQuery<Row>;
}

/**
 * Runs queries of a transaction in order, in one round trip: each sees the changes that earlier ones made or waited for.
 * Resolves to the rows of each, or rejects with the first error.
 */
export async function pipeline<Tables, Rows extends unknown[]>(
  transaction: Kysely<Tables>,
  queries: readonly [...{ [Place in keyof Rows]: Query<Rows[Place]> }],
): Promise<{ [Place in keyof Rows]: Rows[Place][] }> {
  const compiled = (queries as readonly Query[]).map((query) => query.compile(transaction));
  // pg's client (`pipeline: true`) sends each without waiting for the results of those before.
  const results = await transaction
    .getExecutor()
    .provideConnection((connection) => Promise.all(compiled.map((each) => connection.executeQuery<UnknownRow>(each))));
  return results.map(({ rows }) => camelCase.renameColumns(rows)) as { [Place in keyof Rows]: Rows[Place][] };
}

/** `= any($1)` for a list of ids: lists of any length share one statement text. */
export function anyId(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::integer[])`;
}

/** SQL for whether a row has another value than one of these in its column. */
export function anyDiffers(changes: object): RawBuilder<boolean> {
  const columns = Object.keys(changes).map((column) => sql.ref(column));
  return sql<boolean>`(${sql.join(columns)}) is distinct from (${sql.join(Object.values(changes))})`;
}
