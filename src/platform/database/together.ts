import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { BoundStatement } from './statement.ts';

/**
 * Runs statements of a transaction one after the other, of which none needs another's answer: PostgreSQL is sent them in one
 * write, and each sees what those before it did and waited for. Resolves to the rows of each, or rejects with the first error.
 */
export async function together<Tables, Row, OtherRow>(
  transaction: Kysely<Tables>,
  [first, second]: readonly [BoundStatement<Tables, Row>, BoundStatement<Tables, OtherRow>],
): Promise<[Row[], OtherRow[]]> {
  const executor = transaction.getExecutor();
  return executor.provideConnection(async (connection) => {
    const run = async <Answer>(query: CompiledQuery<Answer>) => {
      let result: QueryResult<unknown> = await connection.executeQuery(query);
      for (const plugin of executor.plugins) {
        result = await plugin.transformResult({ queryId: query.queryId, result: result as QueryResult<never> });
      }
      return result.rows as Answer[];
    };
    const [rows, otherRows] = await Promise.allSettled([run(first(transaction)), run(second(transaction))]);
    // After the first failed, the second did too, as the transaction was over.
    if (rows.status === 'rejected') throw rows.reason;
    if (otherRows.status === 'rejected') throw otherRows.reason;
    return [rows.value, otherRows.value];
  });
}
