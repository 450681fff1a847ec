import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { StartError } from '../../kernel/errors/start-error.ts';
import { anyOf } from '../../platform/database/any-of.ts';
import { type ImportCounts, stageFile, writeStaged } from '../files/import-file.ts';
import { Mistakes } from '../files/mistakes.ts';
import { fileRows } from '../files/rows.ts';
import type { Database } from '../tables.ts';
import { columnsOf, fileOf, type ReferenceListName, referenceListNames, referenceLists } from './lists.ts';

export type Entry = { id: number } & Record<string, unknown>;

export interface ListFile {
  list: ReferenceListName;
  /** The file's name for error messages. */
  file: string;
  input: Readable;
}

interface Options {
  /** Whether to delete the entries that a file lacks, unless another row references them. */
  retire?: boolean | undefined;
  dryRun?: boolean | undefined;
}

type ListCounts = Omit<ImportCounts, 'links'> & { retired: number };

/** Every entry of a list, by id. */
export async function listEntries(db: Database, list: ReferenceListName): Promise<Entry[]> {
  const columns = sql.join(columnsOf(list).map((column) => sql.id(column)));
  const { rows } = await sql<Entry>`select ${columns} from ${sql.table(list)} order by id`.execute(db.withoutPlugins());
  return rows;
}

/**
 * Imports lists in a transaction; throws a StartError if there is any mistake. Returns the counts of each list, and a
 * sentence for each entry that stays because another row references it.
 */
export async function importLists(transaction: Database, files: ListFile[], { retire = false, dryRun }: Options) {
  // Entries may swap codes, or reuse the code of a retired entry.
  await sql`set constraints all deferred`.execute(transaction);
  const mistakes = new Mistakes();
  const counts: Record<string, ListCounts> = {};
  const imported: { list: ReferenceListName; file: string; entries: (Entry & { line: number })[] }[] = [];
  for (const list of referenceListNames) {
    const named = files.find((each) => each.list === list);
    if (named === undefined) continue;
    const { file, input } = named;
    // After a mistake, referenced entries may be missing: do not report those.
    const kind = { ...fileOf(list, { isWhole: retire }), ...(!mistakes.isEmpty && { references: {} }) };
    const staged = await stageFile(transaction, kind, input, mistakes, { file, update: true, dryRun });
    if (mistakes.isEmpty) {
      const { added, changed, unchanged } = await writeStaged(transaction, kind, staged, {});
      counts[list] = { added, changed, retired: 0, unchanged };
    }
    const { rows } = await sql<(typeof imported)[0]['entries'][0]>`select * from file`.execute(
      transaction.withoutPlugins(),
    );
    imported.push({ list, file, entries: rows });
    await sql`drop table file`.execute(transaction);
  }
  mistakes.ensureNone();

  const kept: string[] = [];
  // Delete entries that reference others first.
  for (const { list, file, entries } of retire ? imported.toReversed() : []) {
    const ids = new Set(entries.map(({ id }) => id));
    const absent = (await listEntries(transaction, list)).filter(({ id }) => !ids.has(id));
    const staying = await retireEntries(transaction, list, absent);
    kept.push(...staying.values());
    Object.assign(counts[list] ?? {}, { retired: absent.length - staying.size });
    const { unique: column } = referenceLists[list];
    for (const { id, ...values } of column === undefined ? [] : absent) {
      const code = values[column as string];
      const line = entries.find((entry) => staying.has(id) && entry[column as string] === code)?.line;
      if (line !== undefined) mistakes.add({ file, line, column, message: `${code} is taken: ${staying.get(id)}` });
    }
  }
  mistakes.ensureNone();
  return { counts, kept };
}

/** Deletes entries that no row references; returns, by id, why the others stay. */
async function retireEntries(
  transaction: Database,
  list: ReferenceListName,
  entries: Entry[],
): Promise<Map<number, string>> {
  const staying = new Map<number, string>();
  for (const [table, column, key] of referenceLists[list].referencedBy ?? []) {
    const { rows } = await sql<{ id: number; user: number }>`
      select ${sql.id(column)} as id, min(${sql.id(key)}) as user from ${sql.table(table)}
      where ${sql.id(column)} = ${anyOf(entries.map(({ id }) => id))} group by ${sql.id(column)}`.execute(transaction);
    for (const { id, user } of rows) {
      const name = entries.find((entry) => entry.id === id)?.name_en;
      if (staying.has(id)) continue;
      staying.set(id, `${list} ${id} (${name}) stays: the row of ${table} with ${key} ${user} references it`);
    }
  }
  const unused = entries.flatMap(({ id }) => (staying.has(id) ? [] : id));
  if (unused.length > 0) await sql`delete from ${sql.table(list)} where id = ${anyOf(unused)}`.execute(transaction);
  return staying;
}

export async function insertEntries(transaction: Database, list: ReferenceListName, entries: Entry[]): Promise<void> {
  const columns = sql.join(columnsOf(list).map((column) => sql.id(column)));
  await sql`insert into ${sql.table(list)} (${columns}) select ${columns} from ${fileRows(list, entries)}`.execute(
    transaction,
  );
}

/** Adds an entry, or updates the given columns; returns which of these it did. */
export async function setEntry(
  transaction: Database,
  list: ReferenceListName,
  given: Entry,
): Promise<'added' | 'changed' | 'unchanged'> {
  const present = (await listEntries(transaction, list)).find(({ id }) => id === given.id);
  const input = Readable.from([Buffer.from(JSON.stringify({ ...present, ...given }))]);
  const { counts } = await importLists(transaction, [{ list, file: `${list} ${given.id}`, input }], {});
  return counts[list]?.added ? 'added' : counts[list]?.changed ? 'changed' : 'unchanged';
}

/** Deletes an entry. Throws a StartError if the id is unknown or another row references it. */
export async function retireEntry(transaction: Database, list: ReferenceListName, id: number): Promise<void> {
  const entry = (await listEntries(transaction, list)).find((each) => each.id === id);
  if (entry === undefined)
    throw new StartError(`The list ${list} has no id ${id}. Run reference export to see its ids.`);
  const reason = (await retireEntries(transaction, list, [entry])).get(id);
  if (reason !== undefined) throw new StartError(`${reason}.`);
}
