import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AbortableQueryOptions,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  SelectQueryNode,
  sql,
  type UnknownRow,
} from 'kysely';
import { codeOf, isConnectionLost } from '../../kernel/errors/database-errors.ts';
import type { SentStatement } from '../../kernel/request/scope.ts';
import { CamelCase } from './camel-case.ts';
import { retryOnce } from './transaction.ts';

/** A compiled query with options for the drivers in this folder. */
export interface Query<Row = unknown> extends CompiledQuery<Row> {
  /** Queries to run in one go in place of this one, each with its own rows. */
  pipeline?: readonly Query[];
}

export interface QueryOptions extends AbortableQueryOptions {
  /** The text of a read outside of a transaction, if it may be sent behind equal ones on their connection. */
  pipelineKey?: string;
}

export type OnStatement = (statement: SentStatement) => void;

type Build<Tables, Parameters, Row> = (
  db: Kysely<Tables>,
  parameters: Parameters,
) => { compile(db: Kysely<Tables>): CompiledQuery<Row> };

/**
 * Builds a statement once, and prepares it once for each connection. Calling it runs it with parameters and resolves to its
 * rows; `with` only binds them. `build` gets placeholders, which it passes on without reading them. A read runs again if
 * its connection is lost. Raw SQL that only reads needs `isRead`. Without `isPrepared`, PostgreSQL plans it each time,
 * and no connection remembers it. Without `isShared`, a read takes a connection at once and alone.
 */
export function statement<Tables, Parameters extends object, Row>(
  build: Build<Tables, Parameters, Row>,
  { isRead, isPrepared = true, isShared = true }: { isRead?: boolean; isPrepared?: boolean; isShared?: boolean } = {},
) {
  const compiled = compile(build);
  const isRepeatable = isRead ?? isPlainSelect(compiled);
  if (isPrepared) preparedNames.set(compiled.sql, hash('sha256', compiled.sql, 'base64url'));
  const queryOptions: QueryOptions = isRepeatable && isShared ? { pipelineKey: compiled.sql } : {};
  const bind = (values: Parameters): Query<Row> => {
    const fill = (value: unknown) =>
      typeof value === 'symbol' ? values[value.description as keyof Parameters] : value;
    return { ...compiled, parameters: compiled.parameters.map(fill) };
  };
  const run = async (db: Kysely<Tables>, values: Parameters) => {
    const execute = () => db.executeQuery<Row>(bind(values), queryOptions);
    // 26000: the first of several reads on a connection failed to prepare the statement for the others.
    const mayRetry = (error: unknown) => isRepeatable && (isConnectionLost(error) || codeOf(error) === '26000');
    const { rows } = await (db.isTransaction ? execute() : retryOnce(execute, mayRetry));
    return rows;
  };
  return Object.assign(run, { with: bind });
}

/** Names of the prepared statements by their text, which PostgreSQL plans once. */
const preparedNames = new Map<string, string>();

export function preparedNameOf(text: string): string | undefined {
  return preparedNames.get(text);
}

export const camelCase = new CamelCase();

/** Compiles statements without a database connection. */
const compiler = new Kysely({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('not connected')) }),
  plugins: [camelCase],
});

// Builds the statement with symbols, which cannot be coerced or iterated, and with nulls. A builder that reads a
// parameter throws, builds two different statements, or drops the parameter.
function compile<Tables, Parameters extends object, Row>(build: Build<Tables, Parameters, Row>): CompiledQuery<Row> {
  const db = compiler as unknown as Kysely<Tables>;
  const parameterNames = new Set<string>();
  const compileWith = (placeholderOf: (name: string) => unknown) => {
    const get = (_: object, name: string) => parameterNames.add(name) && placeholderOf(name);
    return build(db, new Proxy({}, { get }) as Parameters).compile(db);
  };
  const compiled = compileWith(Symbol.for);
  const { sql, parameters } = compileWith(() => null);
  const parameterOf = (value: unknown) => (typeof value === 'symbol' ? value.description : undefined);
  const withNulls = compiled.parameters.map((value) => (parameterOf(value) === undefined ? value : null));
  const isSame = sql === compiled.sql && isDeepStrictEqual(parameters, withNulls);
  const used = new Set(compiled.parameters.map(parameterOf));
  if (isSame && [...parameterNames].every((name) => used.has(name))) return shareParameters(compiled);
  throw new Error(`A statement must pass on its parameters without reading them: ${compiled.sql}`);
}

// Numbers equal parameters alike, so that a long list is sent once however often the SQL uses it.
function shareParameters<Row>(compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  const parameters = [...new Set(compiled.parameters)];
  const place = (_: string, number: string) => `$${parameters.indexOf(compiled.parameters[Number(number) - 1]) + 1}`;
  return { ...compiled, sql: compiled.sql.replace(/\$(\d+)/g, place), parameters };
}

/** Whether a query may run twice: a select that locks no rows. */
function isPlainSelect({ query }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) && query.endModifiers === undefined && query.with === undefined;
}

/**
 * Runs statements of a transaction in order, sent in one go: each sees the changes that earlier ones made or waited
 * for. Resolves to the rows of each, or rejects with the first error.
 */
export async function pipeline<Tables, Rows extends unknown[]>(
  transaction: Kysely<Tables>,
  queries: readonly [...{ [Place in keyof Rows]: Query<Rows[Place]> }],
): Promise<{ [Place in keyof Rows]: Rows[Place][] }> {
  const [first, ...others] = queries as readonly Query[] as [Query, ...Query[]];
  // Kysely sees the first query alone; its rows are the lists of rows, which its plugin leaves as they are.
  const query: Query = { ...first, pipeline: [first, ...others] };
  const { rows } = await transaction.executeQuery<UnknownRow[]>(query);
  return rows.map((each) => camelCase.renameColumns(each)) as { [Place in keyof Rows]: Rows[Place][] };
}

/** `= any($1)` for a list of ids: lists of any length share one statement text. */
export function anyOf(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${ids}::integer[])`;
}

/** SQL for whether a row has another value than one of these in its column. */
export function anyDiffers(changes: object): RawBuilder<boolean> {
  const columns = Object.keys(changes).map((column) => sql.ref(column));
  return sql<boolean>`(${sql.join(columns)}) is distinct from (${sql.join(Object.values(changes))})`;
}
