import type { CompiledQuery } from 'kysely';
import type { Database } from './database.ts';

/** Stands in a statement where the value of a parameter is to be. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Every property is a placeholder of its own name. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * A statement that is built once, when it is first run, and from then on only given its parameters: its text is the same for
 * all of them. `build` gets placeholders for them, so it hands them on to the query and never looks at them.
 */
export function statement<Parameters extends object, Row>(
  build: (db: Database, parameters: Parameters) => { compile(db: Database): CompiledQuery<Row> },
): (db: Database, parameters: Parameters) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined;
  return async (db, parameters) => {
    built ??= build(db, placeholders as Parameters).compile(db);
    const values = parameters as Record<string, unknown>;
    const { rows } = await db.executeQuery<Row>({
      ...built,
      parameters: built.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value)),
    });
    return rows;
  };
}
