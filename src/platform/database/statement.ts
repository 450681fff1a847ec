import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, SelectQueryNode } from 'kysely';
import type { QueryConfig } from 'pg';

/** A compiled query and what the drivers of this folder know of it. */
export interface Query<Row = unknown> extends CompiledQuery<Row> {
  /** The name under which a connection prepares it, so that PostgreSQL plans it once. */
  name?: string;
  /** It changes and locks nothing, so it may run twice, on any connection. */
  isRead?: boolean;
  /** Queries to send in one write in place of this one, each with its own rows. */
  parts?: readonly Query[];
}

/** Stands in a statement for the value of a parameter. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Every property is a placeholder of its own name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** A statement and its parameters. */
export type BoundStatement<Tables, Row> = (db: Kysely<Tables>) => Query<Row>;

interface Statement<Tables, Parameters, Row> {
  /** Runs it; resolves to its rows. */
  (db: Kysely<Tables>, parameters: Parameters): Promise<Row[]>;
  with(parameters: Parameters): BoundStatement<Tables, Row>;
}

/**
 * A statement that is built and prepared once and then only given its parameters. `build` gets placeholders for them, so it
 * passes them on and never reads them. Raw SQL that only reads says so with `isRead`.
 */
export function statement<Tables, Parameters extends object, Row>(
  build: (db: Kysely<Tables>, parameters: Parameters) => { compile(db: Kysely<Tables>): CompiledQuery<Row> },
  options: { isRead?: boolean } = {},
): Statement<Tables, Parameters, Row> {
  let built: Query<Row> | undefined;
  const bind =
    (parameters: Parameters): BoundStatement<Tables, Row> =>
    (db) => {
      built ??= describe(build(db, placeholders as Parameters).compile(db), options);
      const values = parameters as Record<string, unknown>;
      return {
        ...built,
        parameters: built.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)),
      };
    };
  const run = async (db: Kysely<Tables>, parameters: Parameters) =>
    (await db.executeQuery<Row>(bind(parameters)(db))).rows;
  return Object.assign(run, { with: bind });
}

function describe<Row>(compiled: CompiledQuery<Row>, options: { isRead?: boolean }): Query<Row> {
  const name = createHash('sha256').update(compiled.sql).digest('base64url');
  return { ...compiled, name, isRead: options.isRead ?? isRead(compiled) };
}

/** Whether a query may run twice, on any connection: a select that locks no rows. */
export function isRead({ isRead, query }: Query): boolean {
  return isRead ?? (SelectQueryNode.is(query) && query.endModifiers === undefined && query.with === undefined);
}

/** A query as pg takes it; prepared, if statements may be. */
export function configOf({ name, sql, parameters }: Query, prepare: boolean): QueryConfig {
  const config = { text: sql, values: parameters as unknown[] };
  return prepare && name !== undefined ? { ...config, name } : config;
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
