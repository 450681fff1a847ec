import { sql } from 'kysely';
import { z } from 'zod';
import { StartError } from '../../kernel/errors/start-error.ts';
import { anyOf } from '../../platform/database/any-of.ts';
import type { Mistakes } from '../import/mistakes.ts';
import { advanceSequence, fileRows, lockTable, rejectRepeatedIds } from '../import/rows.ts';
import type { Database } from '../tables.ts';
import { columnsOf, type ReferenceListName, referenceListNames, referenceLists } from './lists.ts';

export type Entry = { id: number } & Record<string, unknown>;

/** New entries of one list, with the lines of their file. */
export interface ListFile {
  list: ReferenceListName;
  file?: string;
  records: (Entry & { line?: number })[];
}

interface Counts {
  added: number;
  changed: number;
  retired: number;
  unchanged: number;
}

export interface ImportedLists {
  counts: Partial<Record<ReferenceListName, Counts>>;
  /** Entries that stay because another row references them. */
  kept: string[];
}

/** Every entry of a list, by id. */
export async function listEntries(db: Database, list: ReferenceListName): Promise<Entry[]> {
  const columns = sql.join(columnsOf(list).map((column) => sql.id(column)));
  const { rows } = await sql<Entry>`select ${columns} from ${sql.table(list)} order by id`.execute(db.withoutPlugins());
  return rows;
}

/**
 * Brings lists to the entries of files, in a transaction: throws before writing when there is any mistake. `retires` removes the
 * entries that a file lacks, unless another row references them. `advice` follows the mistakes.
 */
export async function importLists(
  transaction: Database,
  files: ListFile[],
  mistakes: Mistakes,
  { retires, isTrial, advice }: { retires: boolean; isTrial: boolean; advice: string },
): Promise<ImportedLists> {
  const ordered = referenceListNames.flatMap((list) => files.filter((file) => file.list === list));
  const counts: Record<string, Counts> = {};
  for (const { list } of ordered) {
    counts[list] = { added: 0, changed: 0, retired: 0, unchanged: 0 };
    await lockTable(transaction, list);
  }
  // Entries may exchange their codes, or have those of retired ones.
  await sql`set constraints all deferred`.execute(transaction);
  const present = new Map<string, Map<number, Entry>>();
  for (const list of referenceListNames) {
    present.set(list, new Map((await listEntries(transaction, list)).map((entry) => [entry.id, entry])));
  }
  const changes = ordered.map((file) => {
    rejectConflicts(file, present, mistakes, retires);
    const entries = present.get(file.list) as Map<number, Entry>;
    const added = file.records.filter(({ id }) => !entries.has(id));
    const changed = file.records.filter((record) => differs(record, entries.get(record.id)));
    const unchanged = file.records.length - added.length - changed.length;
    Object.assign(counts[file.list] as Counts, { added: added.length, changed: changed.length, unchanged });
    for (const record of added) entries.set(record.id, record);
    return { list: file.list, entries: [...added, ...changed] };
  });
  mistakes.ensureNone(advice);
  for (const { list, entries } of changes) await writeEntries(transaction, list, entries);
  const kept = retires ? await retireAbsent(transaction, ordered, counts, mistakes) : [];
  mistakes.ensureNone(advice);
  await sql`set constraints all immediate`.execute(transaction);
  if (!isTrial) for (const { list } of ordered) await advanceSequence(transaction, list);
  return { counts, kept };
}

function differs(record: Entry, entry: Entry | undefined): boolean {
  return entry !== undefined && Object.keys(entry).some((column) => record[column] !== entry[column]);
}

// Entries that refer to others go first. Returns a sentence for each entry that stays; reports those whose code is taken.
async function retireAbsent(
  transaction: Database,
  files: ListFile[],
  counts: Record<string, Counts>,
  mistakes: Mistakes,
): Promise<string[]> {
  const kept: string[] = [];
  for (const { list, file, records } of files.toReversed()) {
    const { unique } = referenceLists[list];
    const wanted = new Set(records.map(({ id }) => id));
    const absent = (await listEntries(transaction, list)).filter(({ id }) => !wanted.has(id));
    const staying = await retireEntries(transaction, list, absent);
    for (const [entry, sentence] of staying) {
      kept.push(sentence);
      const taker = unique && records.find((record) => record[unique] === entry[unique]);
      if (taker)
        mistakes.add({ file, line: taker.line, column: unique, message: `${entry[unique]} is taken: ${sentence}` });
    }
    (counts[list] as Counts).retired += absent.length - staying.size;
  }
  return kept;
}

/** Deletes entries that no row references; returns the others, each with a sentence that says why it stays. */
export async function retireEntries(
  transaction: Database,
  list: ReferenceListName,
  entries: Entry[],
): Promise<Map<Entry, string>> {
  const ids = entries.map(({ id }) => id);
  const users = new Map<number, string>();
  for (const [table, column, key] of referenceLists[list].referencedBy ?? []) {
    const { rows } = await sql<{ id: number; user: number }>`
      select ${sql.id(column)} as id, min(${sql.id(key)}) as user from ${sql.table(table)}
      where ${sql.id(column)} = ${anyOf(ids)} group by ${sql.id(column)}`.execute(transaction);
    const noun = table === 'branch_services' ? 'branch' : `${table} row`;
    for (const { id, user } of rows) users.set(id, users.get(id) ?? `${noun} ${user} references it`);
  }
  const unused = ids.filter((id) => !users.has(id));
  if (unused.length > 0) await sql`delete from ${sql.table(list)} where id = ${anyOf(unused)}`.execute(transaction);
  const staying = entries.filter(({ id }) => users.has(id));
  return new Map(
    staying.map((entry) => [
      entry,
      `${list} ${entry.id} (${entry.name_en ?? entry.name}) stays: ${users.get(entry.id)}`,
    ]),
  );
}

/** Writes entries with their ids: new ones, and others in place of those that are there. */
export async function writeEntries(transaction: Database, list: ReferenceListName, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = columnsOf(list).map((column) => sql.id(column));
  const changes = columns.map((column) => sql`${column} = excluded.${column}`);
  await sql`insert into ${sql.table(list)} (${sql.join(columns)})
    select ${sql.join(columns)} from ${fileRows(list, entries)}
    on conflict (id) do update set ${sql.join(changes)}`.execute(transaction);
}

function rejectConflicts(
  { list, file, records }: ListFile,
  present: Map<string, Map<number, Entry>>,
  mistakes: Mistakes,
  retires: boolean,
): void {
  const { unique, references = {} } = referenceLists[list];
  rejectRepeatedIds(records, mistakes, file);
  const ids = new Set(records.map(({ id }) => id));
  const others = retires ? [] : [...(present.get(list)?.values() ?? [])].filter(({ id }) => !ids.has(id));
  const owners = new Map(unique === undefined ? [] : others.map((entry) => [entry[unique], `id ${entry.id}`]));
  for (const { line, ...record } of records) {
    const reject = (column: string, message: string) => mistakes.add({ file, line, column, message });
    if (unique !== undefined) {
      const owner = owners.get(record[unique]);
      if (owner !== undefined) reject(unique, `${record[unique]} belongs to ${owner} already`);
      else owners.set(record[unique], line === undefined ? `id ${record.id}` : `line ${line}`);
    }
    for (const [column, target] of Object.entries(references)) {
      if (!present.get(target)?.has(record[column] as number)) reject(column, `${target} has no id ${record[column]}`);
    }
  }
}

/** Adds an entry, or changes the columns that are given as text; returns which. */
export async function setEntry(
  transaction: Database,
  list: ReferenceListName,
  id: number,
  given: Record<string, unknown>,
  mistakes: Mistakes,
): Promise<'added' | 'changed' | 'unchanged'> {
  const present = (await listEntries(transaction, list)).find((entry) => entry.id === id);
  const entry: Record<string, unknown> = { ...present, ...given, id };
  const cells = columnsOf(list).map((column) => [column, column in entry ? String(entry[column]) : null]);
  const { data, error } = z.object(referenceLists[list].columns).safeParse(Object.fromEntries(cells));
  for (const { path, message } of error?.issues ?? []) mistakes.add({ column: String(path[0]), message });
  const advice = 'Nothing was changed.';
  mistakes.ensureNone(advice);
  const file = { list, records: [data as Entry] };
  const { counts } = await importLists(transaction, [file], mistakes, { retires: false, isTrial: false, advice });
  return counts[list]?.added ? 'added' : counts[list]?.changed ? 'changed' : 'unchanged';
}

/** The entry of an id; throws when the list has none. */
export async function getEntry(db: Database, list: ReferenceListName, id: number): Promise<Entry> {
  const entry = (await listEntries(db, list)).find((each) => each.id === id);
  if (entry === undefined)
    throw new StartError(`The list ${list} has no id ${id}. Run reference export to see its ids.`);
  return entry;
}
