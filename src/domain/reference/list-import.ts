import { sql } from 'kysely';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Mistakes } from '../import/mistakes.ts';
import { advanceSequence, lockTable, rejectRepeatedIds, rowsOf } from '../import/rows.ts';
import type { Database } from '../tables.ts';
import { type ReferenceListName, referenceListNames, referenceLists } from './lists.ts';

export type Entry = { id: number } & Record<string, unknown>;

/** New entries of one list, with the lines of their file. */
export interface ListFile {
  list: ReferenceListName;
  file?: string;
  records: (Entry & { line: number })[];
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
  const columns = sql.join(Object.keys(referenceLists[list].columns).map((column) => sql.id(column)));
  const { rows } = await sql<Entry>`select ${columns} from ${sql.table(list)} order by id`.execute(db.withoutPlugins());
  return rows;
}

/**
 * Brings lists to the entries of files, in a transaction: throws before writing when there is any mistake. `retires` removes the
 * entries that a file lacks, unless another row references them.
 */
export async function importLists(
  transaction: Database,
  files: ListFile[],
  mistakes: Mistakes,
  { retires, isTrial }: { retires: boolean; isTrial: boolean },
): Promise<ImportedLists> {
  for (const { list } of files) await lockTable(transaction, list);
  // Before the others come, so that they may have the codes of retired entries.
  const first = retires ? await retireAbsent(transaction, files) : undefined;
  const present = new Map<ReferenceListName, Map<number, Entry>>();
  const changes: { list: ReferenceListName; added: Entry[]; changed: Entry[] }[] = [];
  const result: ImportedLists = { counts: {}, kept: [] };
  for (const list of referenceListNames) {
    const entries = new Map((await listEntries(transaction, list)).map((entry) => [entry.id, entry]));
    present.set(list, entries);
    const file = files.find((each) => each.list === list);
    if (file === undefined) continue;
    rejectConflicts(file, present, mistakes);
    const columns = Object.keys(referenceLists[list].columns);
    const added = file.records.filter((record) => !entries.has(record.id));
    const changed = file.records.filter((record) => {
      const entry = entries.get(record.id);
      return entry !== undefined && columns.some((column) => record[column] !== entry[column]);
    });
    for (const record of added) entries.set(record.id, record);
    changes.push({ list, added, changed });
    const unchanged = file.records.length - added.length - changed.length;
    result.counts[list] = { added: added.length, changed: changed.length, retired: 0, unchanged };
  }
  mistakes.ensureNone('Nothing was imported. Correct the files, then import them again.');
  for (const { list, added, changed } of changes) {
    await updateEntries(transaction, list, changed);
    await insertEntries(transaction, list, added, isTrial);
  }
  if (first === undefined) return result;
  const last = await retireAbsent(transaction, files);
  for (const [list, counts] of Object.entries(result.counts))
    counts.retired = (first.retired[list] ?? 0) + (last.retired[list] ?? 0);
  return { ...result, kept: last.kept };
}

// Entries that refer to others go first.
async function retireAbsent(transaction: Database, files: ListFile[]) {
  const retired: Record<string, number> = {};
  const kept: string[] = [];
  const place = (list: ReferenceListName) => referenceListNames.indexOf(list);
  for (const { list, records } of files.toSorted((a, b) => place(b.list) - place(a.list))) {
    const wanted = new Set(records.map((record) => record.id));
    const absent = (await listEntries(transaction, list)).filter((entry) => !wanted.has(entry.id));
    const sentences = await retireEntries(transaction, list, absent);
    kept.push(...sentences);
    retired[list] = absent.length - sentences.length;
  }
  return { retired, kept };
}

/** Deletes entries that no row references; returns a sentence for each of the others. */
export async function retireEntries(
  transaction: Database,
  list: ReferenceListName,
  entries: Entry[],
): Promise<string[]> {
  const users = new Map<number, string>();
  for (const [table, column, key] of referenceLists[list].referencedBy ?? []) {
    const { rows } = await sql<{ id: number; user: number }>`
      select ${sql.id(column)} as id, min(${sql.id(key)}) as user from ${sql.table(table)}
      where ${sql.id(column)} in (select file.id from ${rowsOf(entries, { id: 'integer' })})
      group by ${sql.id(column)}`.execute(transaction);
    const noun = table === 'branch_services' ? 'branch' : `${table} row`;
    for (const { id, user } of rows) users.set(id, users.get(id) ?? `${noun} ${user} references it`);
  }
  const unused = entries.filter((entry) => !users.has(entry.id));
  if (unused.length > 0) {
    await sql`delete from ${sql.table(list)} where id in (select file.id from ${rowsOf(unused, { id: 'integer' })})`.execute(
      transaction,
    );
  }
  return entries
    .filter((entry) => users.has(entry.id))
    .map((entry) => `${list} ${entry.id} (${entry.name_en ?? entry.name}) stays: ${users.get(entry.id)}`);
}

/** Inserts entries with their ids. */
export async function insertEntries(
  transaction: Database,
  list: ReferenceListName,
  entries: Entry[],
  isTrial = false,
): Promise<void> {
  if (entries.length === 0) return;
  const columns = sql.join(Object.keys(referenceLists[list].columns).map((column) => sql.id(column)));
  await sql`insert into ${sql.table(list)} (${columns}) select ${columns} from ${rowsOf(entries, typesOf(list))}`.execute(
    transaction,
  );
  if (!isTrial) await advanceSequence(transaction, list);
}

async function updateEntries(transaction: Database, list: ReferenceListName, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = Object.keys(referenceLists[list].columns).filter((column) => column !== 'id');
  const changes = sql.join(columns.map((column) => sql`${sql.id(column)} = file.${sql.id(column)}`));
  await sql`update ${sql.table(list)} as entry set ${changes} from ${rowsOf(entries, typesOf(list))}
    where entry.id = file.id`.execute(transaction);
}

function typesOf(list: ReferenceListName): Record<string, 'integer' | 'text'> {
  const { columns, references = {} } = referenceLists[list];
  return Object.fromEntries(
    Object.keys(columns).map((column) => [column, column === 'id' || column in references ? 'integer' : 'text']),
  );
}

function rejectConflicts(
  { list, file, records }: ListFile,
  present: Map<ReferenceListName, Map<number, Entry>>,
  mistakes: Mistakes,
): void {
  const { unique, references = {} } = referenceLists[list];
  rejectRepeatedIds(records, mistakes, file);
  const ids = new Set(records.map((record) => record.id));
  const others = [...(present.get(list)?.values() ?? [])].filter((entry) => !ids.has(entry.id));
  const owners = new Map(unique === undefined ? [] : others.map((entry) => [entry[unique], `id ${entry.id}`]));
  for (const record of records) {
    const { line } = record;
    const reject = (column: string, message: string) =>
      mistakes.add({ file, line: line || undefined, column, message });
    if (unique !== undefined) {
      const owner = owners.get(record[unique]);
      if (owner !== undefined) reject(unique, `${record[unique]} belongs to ${owner} already`);
      else owners.set(record[unique], line ? `line ${line}` : `id ${record.id}`);
    }
    for (const [column, target] of Object.entries(references)) {
      if (!present.get(target)?.has(record[column] as number)) reject(column, `${target} has no id ${record[column]}`);
    }
  }
}

/** The entry of an id; throws when the list has none. */
export async function getEntry(db: Database, list: ReferenceListName, id: number): Promise<Entry> {
  const entry = (await listEntries(db, list)).find((each) => each.id === id);
  if (entry === undefined) throw new StartError(`The list ${list} has no id ${id}.`);
  return entry;
}
