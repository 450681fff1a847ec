import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, SelectQueryNode } from 'kysely';

/** A compiled query and what the drivers of this folder know of it. */
export interface Query<Row = unknown> extends CompiledQuery<Row> {
  /** The name under which a connection prepares it, so that PostgreSQL plans it once. */
  name?: string;
  /** It changes and locks nothing, so it may run twice, on any connection. */
  isRead?: boolean;
  /** Queries to send in one write in place of this one, each with its own rows. */
  parts?: readonly Query[];
}

/** Every property is a symbol of its own name, which stands in a statement for the value of that parameter. */
const placeholders = new Proxy({}, { get: (_, name) => Symbol(String(name)) });

/** A statement and its parameters. */
export type BoundStatement<Tables, Row> = (db: Kysely<Tables>) => Query<Row>;

/**
 * A statement that is built and prepared once and then only given its parameters: called, it runs and resolves to its rows;
 * `with` binds them. `build` gets placeholders, which it passes on and never reads. Raw SQL that only reads says so with `isRead`.
 */
export function statement<Tables, Parameters extends object, Row>(
  build: (db: Kysely<Tables>, parameters: Parameters) => { compile(db: Kysely<Tables>): CompiledQuery<Row> },
  options: { isRead?: boolean } = {},
) {
  let built: Query<Row> | undefined;
  const bind =
    (parameters: Parameters): BoundStatement<Tables, Row> =>
    (db) => {
      if (built === undefined) {
        const compiled = build(db, placeholders as Parameters).compile(db);
        built = { ...compiled, ...options, name: createHash('sha256').update(compiled.sql).digest('base64url') };
      }
      const fill = (value: unknown) =>
        typeof value === 'symbol' ? parameters[value.description as keyof Parameters] : value;
      return { ...built, parameters: built.parameters.map(fill) };
    };
  const run = async (db: Kysely<Tables>, parameters: Parameters) =>
    (await db.executeQuery<Row>(bind(parameters)(db))).rows;
  return Object.assign(run, { with: bind });
}

/** Whether a query may run twice, on any connection: a select that locks no rows. */
export function isRead({ isRead, query }: Query): boolean {
  return isRead ?? (SelectQueryNode.is(query) && query.endModifiers === undefined && query.with === undefined);
}

/**
 * Runs statements of a transaction in order, sent in one write: each sees what those before it did and waited for. Resolves
 * to the rows of each, or rejects with the first error. Raw SQL has to name its columns in camel case.
 */
export async function together<Tables, Rows extends unknown[]>(
  transaction: Kysely<Tables>,
  bound: readonly [...{ [Place in keyof Rows]: BoundStatement<Tables, Rows[Place]> }],
): Promise<{ [Place in keyof Rows]: Rows[Place][] }> {
  const [first, ...others] = bound.map((bind) => bind(transaction)) as [Query, ...Query[]];
  const pipeline: Query = { ...first, parts: [first, ...others] };
  return (await transaction.executeQuery(pipeline)).rows as { [Place in keyof Rows]: Rows[Place][] };
}
