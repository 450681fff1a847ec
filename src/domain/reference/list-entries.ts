import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { importFiles } from '../files/import-file.ts';
import { retireRows } from '../files/retire-rows.ts';
import type { Database } from '../tables.ts';
import { fileOf, type ReferenceListName } from './lists.ts';

export type Entry = { id: number } & Record<string, unknown>;

export async function listEntries(db: Database, list: ReferenceListName): Promise<Entry[]> {
  const columns = sql.join(Object.keys(fileOf(list).columns).map((column) => sql.id(column)));
  const { rows } = await sql<Entry>`select ${columns} from ${sql.table(list)} order by id`.execute(db.withoutPlugins());
  return rows;
}

/** Adds an entry, or updates the given columns; returns which of these it did. Waits for an import, as `onWait` says. */
export async function setEntry(
  transaction: Database,
  list: ReferenceListName,
  given: Entry,
  onWait: (text: string) => void,
): Promise<'added' | 'changed' | 'unchanged'> {
  const present = (await listEntries(transaction, list)).find(({ id }) => id === given.id);
  const input = Readable.from([Buffer.from(JSON.stringify({ ...present, ...given }))]);
  const file = { kind: fileOf(list), name: `${list} ${given.id}`, input };
  const { counts, changed } = await importFiles(transaction, [file], { update: true, onWait });
  return counts[list]?.added ? 'added' : changed ? 'changed' : 'unchanged';
}

/** Deletes an entry. Throws an OperatorError if the id is unknown or another row references it. */
export async function retireEntry(transaction: Database, list: ReferenceListName, id: number): Promise<void> {
  const { retired, staying } = await retireRows(transaction, fileOf(list), sql`present.id = ${id}`);
  if (staying.size > 0) throw new OperatorError(`${staying.get(id)}.`);
  if (retired.length === 0)
    throw new OperatorError(`The list ${list} has no id ${id}. Run reference export to see its ids.`);
}
