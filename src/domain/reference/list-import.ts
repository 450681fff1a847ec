import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { StartError } from '../../kernel/errors/start-error.ts';
import { anyOf } from '../../platform/database/any-of.ts';
import { Mistakes } from '../files/mistakes.ts';
import { readRecords } from '../files/read-records.ts';
import { advanceSequence, fileRows, lockTable, rejectRepeatedIds } from '../files/rows.ts';
import type { Database } from '../tables.ts';
import { columnsOf, type ReferenceListName, referenceListNames, referenceLists } from './lists.ts';

export type Entry = { id: number } & Record<string, unknown>;

/** The entries of a file. */
export interface ListFile {
  list: ReferenceListName;
  file: string;
  records: (Entry & { line: number })[];
}

/** Reads a file of a list. */
export async function readList(
  list: ReferenceListName,
  input: Readable,
  mistakes: Mistakes,
  file: string,
): Promise<ListFile> {
  const { columns } = referenceLists[list];
  const records = await Array.fromAsync(readRecords(input, { columns, mistakes, file }));
  return { list, file, records: records as ListFile['records'] };
}

/** Every entry of a list, by id. */
export async function listEntries(db: Database, list: ReferenceListName): Promise<Entry[]> {
  const columns = sql.join(columnsOf(list).map((column) => sql.id(column)));
  const { rows } = await sql<Entry>`select ${columns} from ${sql.table(list)} order by id`.execute(db.withoutPlugins());
  return rows;
}

/** For each column that refers to another list: that list, and the ids that it has. */
export async function listTargets(db: Database, list: ReferenceListName) {
  const references = Object.entries(referenceLists[list].references ?? {});
  return Promise.all(
    references.map(async ([column, target]) => {
      const ids = new Set<unknown>((await listEntries(db, target as ReferenceListName)).map(({ id }) => id));
      return { column, target, ids };
    }),
  );
}

/**
 * Brings lists to the entries of files, in a transaction that fails with any mistake. `retire` removes the entries that a file
 * lacks, unless another row references them. Returns the counts of each list, and a sentence for each entry that stays.
 */
export async function importLists(
  transaction: Database,
  files: ListFile[],
  mistakes: Mistakes,
  { retire, dryRun }: { retire?: boolean | undefined; dryRun?: boolean | undefined },
) {
  // Entries may exchange their codes, or have those of retired ones.
  await sql`set constraints all deferred`.execute(transaction);
  const ordered = referenceListNames.flatMap((list) => files.filter((file) => file.list === list));
  for (const file of ordered) await checkFile(transaction, file, ordered, mistakes, retire);
  mistakes.ensureNone();
  const counts: Record<string, Awaited<ReturnType<typeof writeFile>>> = {};
  for (const file of ordered) counts[file.list] = await writeFile(transaction, file);
  const kept: string[] = [];
  // Entries that refer to others go first.
  for (const file of retire ? ordered.toReversed() : []) {
    const { list } = file;
    const absent = await listAbsent(transaction, file);
    const staying = await retireEntries(transaction, list, absent);
    kept.push(...staying.values());
    const remaining = absent.filter(({ id }) => staying.has(id));
    rejectTakenCodes(file, remaining, mistakes, staying);
    Object.assign(counts[list] ?? {}, { retired: absent.length - staying.size });
  }
  mistakes.ensureNone();
  if (!dryRun) for (const { list } of ordered) await advanceSequence(transaction, list);
  return { counts, kept };
}

// References to a list whose own file has mistakes are not judged: its records are not complete.
async function checkFile(db: Database, checked: ListFile, files: ListFile[], mistakes: Mistakes, retire = false) {
  const { list, file, records } = checked;
  await lockTable(db, list);
  rejectRepeatedIds(records, mistakes, file);
  for (const { column, target, ids } of await listTargets(db, list)) {
    const own = files.find((other) => other.list === target);
    if (own !== undefined && mistakes.has(own.file)) continue;
    for (const { id } of own?.records ?? []) ids.add(id);
    for (const { line, [column]: id } of records) {
      if (!ids.has(id)) mistakes.add({ file, line, column, message: `${target} has no id ${id}` });
    }
  }
  const others = retire ? [] : await listAbsent(db, checked);
  rejectTakenCodes(checked, [...others, ...records], mistakes);
}

async function listAbsent(transaction: Database, { list, records }: ListFile): Promise<Entry[]> {
  const ids = new Set(records.map(({ id }) => id));
  return (await listEntries(transaction, list)).filter(({ id }) => !ids.has(id));
}

async function writeFile(transaction: Database, { list, records }: ListFile) {
  const present = new Map((await listEntries(transaction, list)).map((entry) => [entry.id, entry]));
  const added = records.filter(({ id }) => !present.has(id));
  const changed = records.filter((record) =>
    Object.entries(present.get(record.id) ?? {}).some(([column, value]) => record[column] !== value),
  );
  await writeEntries(transaction, list, [...added, ...changed]);
  const unchanged = records.length - added.length - changed.length;
  return { added: added.length, changed: changed.length, retired: 0, unchanged };
}

// Those that another one of the entries has; `staying` says why an entry is there.
function rejectTakenCodes(
  { list, file, records }: ListFile,
  entries: Entry[],
  mistakes: Mistakes,
  staying?: Map<number, string>,
): void {
  const { unique } = referenceLists[list];
  if (unique === undefined) return;
  const owners = Map.groupBy(entries, (entry) => entry[unique]);
  for (const { line, id, [unique]: code } of records) {
    const owner = owners.get(code)?.find((entry) => entry.id !== id);
    if (owner === undefined) continue;
    const name = staying?.get(owner.id) ?? `id ${owner.id} has it`;
    mistakes.add({ file, line, column: unique, message: `${code} is taken: ${name}` });
  }
}

/** Deletes entries that no row references; returns a sentence for the id of each other one, which says why it stays. */
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

/** Writes entries with their ids: new ones, and others in place of those that are there. */
export async function writeEntries(transaction: Database, list: ReferenceListName, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const columns = columnsOf(list).map((column) => sql.id(column));
  const changes = columns.map((column) => sql`${column} = excluded.${column}`);
  await sql`insert into ${sql.table(list)} (${sql.join(columns)})
    select ${sql.join(columns)} from ${fileRows(list, entries)}
    on conflict (id) do update set ${sql.join(changes)}`.execute(transaction);
}

/** Adds an entry, or changes the columns that are given; returns which. */
export async function setEntry(
  transaction: Database,
  list: ReferenceListName,
  given: Entry,
): Promise<'added' | 'changed' | 'unchanged'> {
  const present = (await listEntries(transaction, list)).find(({ id }) => id === given.id);
  const content = Readable.from([Buffer.from(JSON.stringify({ ...present, ...given }))]);
  const mistakes = new Mistakes();
  const file = await readList(list, content, mistakes, `${list} ${given.id}`);
  const { counts } = await importLists(transaction, [file], mistakes, {});
  return counts[list]?.added ? 'added' : counts[list]?.changed ? 'changed' : 'unchanged';
}

/** Removes an entry; throws a StartError when the list has none of that id, or another row references it. */
export async function retireEntry(transaction: Database, list: ReferenceListName, id: number): Promise<void> {
  const entry = (await listEntries(transaction, list)).find((each) => each.id === id);
  if (entry === undefined)
    throw new StartError(`The list ${list} has no id ${id}. Run reference export to see its ids.`);
  const reason = (await retireEntries(transaction, list, [entry])).get(id);
  if (reason !== undefined) throw new StartError(`${reason}.`);
}
