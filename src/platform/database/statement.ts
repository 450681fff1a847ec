import type { CompiledQuery, Kysely } from 'kysely';

/** Stands in a statement where the value of a parameter is to be. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Every property is a placeholder of its own name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/** A statement and its parameters. */
export type BoundStatement<Tables, Row> = (db: Kysely<Tables>) => CompiledQuery<Row>;

interface Statement<Tables, Parameters, Row> {
  /** Runs it; resolves to its rows. */
  (db: Kysely<Tables>, parameters: Parameters): Promise<Row[]>;
  with(parameters: Parameters): BoundStatement<Tables, Row>;
}

/**
 * A statement that is built once, when it is first run, and from then on only given its parameters: its text is the same for
 * all of them. `build` gets placeholders for them, so it hands them on to the query and never looks at them.
 */
export function statement<Tables, Parameters extends object, Row>(
  build: (db: Kysely<Tables>, parameters: Parameters) => { compile(db: Kysely<Tables>): CompiledQuery<Row> },
): Statement<Tables, Parameters, Row> {
  let built: CompiledQuery<Row> | undefined;
  const bind =
    (parameters: Parameters): BoundStatement<Tables, Row> =>
    (db) => {
      built ??= build(db, placeholders as Parameters).compile(db);
      const values = parameters as Record<string, unknown>;
      return {
        ...built,
        parameters: built.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)),
      };
    };
  return Object.assign((db: Kysely<Tables>, parameters: Parameters) => run(db, bind(parameters)), { with: bind });
}

/** Runs a statement; resolves to its rows. */
export async function run<Tables, Row>(db: Kysely<Tables>, bound: BoundStatement<Tables, Row>): Promise<Row[]> {
  const { rows } = await db.executeQuery(bound(db));
  return rows;
}
