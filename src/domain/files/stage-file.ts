import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type Fault, type FileKind, isOfCompany } from './file-kind.ts';
import { type Mistakes, shownMistakes } from './mistakes.ts';
import { readRecords } from './read-records.ts';
import { advanceSequence, batchSize, fileRows, isAbsent } from './rows.ts';

export interface InputFile {
  kind: FileKind;
  input: Readable;
  /** The file's name for error messages, if an import has several files. */
  name?: string;
}

export interface ImportOptions {
  /** The company of all records, in place of the column `company_id`. */
  company?: number | undefined;
  /** Whether records update existing rows; otherwise an existing id is a mistake. */
  update?: boolean | undefined;
  /**
   * The greatest number of rows to delete, of all files: those that a file lacks, of the companies that it names, unless
   * another row references them. By default, nothing is deleted.
   */
  retire?: number | undefined;
  /** Whether the caller rolls the transaction back. */
  dryRun?: boolean | undefined;
  /** Receives progress messages. */
  onProgress?(state: string): void;
}

/** A file that was read into the temporary table `file`. */
export interface Staged {
  kind: FileKind;
  lines: number;
  target: ReturnType<typeof targetOf>;
}

/** Reads a file into the temporary table `file`, and checks there the rules that span several rows. */
export async function stageFile(
  transaction: Database,
  file: InputFile,
  mistakes: Mistakes,
  options: ImportOptions,
): Promise<Staged> {
  const { kind, name } = file;
  // After a mistake in an earlier file, rows may be missing: do not report references to them.
  const checked = mistakes.isEmpty ? kind : { ...kind, references: {} };
  const seen = new Set<string>(options.company === undefined ? [] : ['company_id']);
  const lines = await fillTable(transaction, file, mistakes, seen, options);
  if (!options.dryRun) await reserveIds(transaction, kind.table);
  if (options.retire !== undefined && mistakes.isEmpty && lines === 0)
    mistakes.add({ file: name, line: 1, message: 'the file has no rows, so that all would be retired' });
  const { rows: faults } = await faultsOf(checked, options).execute(transaction);
  for (const { line, column, message } of faults) mistakes.add({ file: name, line, column, message });
  mistakes.addUnlisted((faults[0]?.total ?? 0) - faults.length);
  return { kind, lines, target: targetOf(kind, seen) };
}

async function fillTable(
  transaction: Database,
  { kind: { table, columns, links, toRow }, input, name: file }: InputFile,
  mistakes: Mistakes,
  seen: Set<string>,
  { company, onProgress }: ImportOptions,
): Promise<number> {
  const list = links ? sql`, null::integer[] as ${sql.id(links.column)}` : sql``;
  await sql`create temporary table file on commit drop as
    select 0 as line, ${sql.table(table)}.* ${list} from ${sql.table(table)} limit 0`.execute(transaction);
  await sql`alter table file add primary key (line)`.execute(transaction);

  const { company_id: _, ...ownColumns } = columns;
  let last = 0;
  let batch: object[] = [];
  const flush = async () => {
    await sql`insert into file select * from ${fileRows('file', batch)}`.execute(transaction);
    batch = [];
    onProgress?.(`${last} lines read`);
  };
  const read = { columns: company === undefined ? columns : ownColumns, mistakes, seen, file };
  for await (const record of readRecords(input, read)) {
    const row = toRow?.(record) ?? record;
    if (typeof row === 'string') mistakes.add({ file, line: record.line, message: row });
    else batch.push(company === undefined ? row : { ...row, company_id: company });
    last = record.line;
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await sql`analyze file`.execute(transaction);
  return last;
}

// Runs before the ids are checked: other imports wait, and the service assigns higher ids. A rollback leaves a gap.
async function reserveIds(transaction: Database, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('import'))`.execute(transaction);
  await advanceSequence(transaction, table, sql`(select max(id) from file)`);
}

/** A query for the first faults and the number of all faults. */
function faultsOf(kind: FileKind, { update = false, retire }: ImportOptions) {
  const { table, one, unique, references = {}, rules = [] } = kind;
  const other = `%s is ${one} of another company (%s)`;
  const exists = `%s is ${one} already; --update changes existing rows`;
  const repeated = sql<Fault>`select line, 'id', format('%s is on line %s already', id, first)
    from (select line, id, min(line) over (partition by id) as first from file where id is not null) as each
    where line > first`;
  const isOther = isOfCompany(kind) ? sql`present.company_id <> file.company_id` : sql`false`;
  const owner = isOfCompany(kind) ? sql`present.company_id` : sql`null`;
  const present = sql<Fault>`select line, 'id',
      case when ${isOther} then format(${sql.lit(other)}, id, ${owner}) else format(${sql.lit(exists)}, id) end
    from file join ${sql.table(table)} as present using (id) where ${sql.lit(!update)} or ${isOther}`;
  const missing = Object.entries(references).map(
    ([column, { table, one }]) => sql<Fault>`select line, ${sql.lit(column)},
        format(${sql.lit(`there is no ${one} %s`)}, ${sql.id(column)})
      from file where not exists (select from ${sql.table(table)} as target where target.id = file.${sql.id(column)})`,
  );
  const all = [
    repeated,
    present,
    ...missing,
    ...rules,
    ...(unique ? [takenValues(table, unique, retire !== undefined)] : []),
  ];
  return sql<Fault & { total: number }>`select line, "column", message, count(*) over ()::integer as total
    from (${sql.join(all, sql` union all `)}) as fault (line, "column", message) order by line
    limit ${sql.lit(shownMistakes)}`;
}

/** A query for the unique values that an earlier line has, or a row that stays. */
function takenValues(table: string, unique: string, retire: boolean): RawBuilder<Fault> {
  const value = sql.id(unique);
  return sql`select line, ${sql.lit(unique)}, format('%s is taken: id %s has it', value, owner)
    from (
      select line, id, ${value} as value, first_value(id) over (partition by ${value} order by line) as owner from file
      union all
      select line, file.id, ${value}, present.id from file join ${sql.table(table)} as present using (${value})
      where ${sql.lit(!retire)} and ${isAbsent()}
    ) as each
    where owner <> id`;
}

/** The key of the table, the other columns that the file sets, and its links. */
function targetOf(kind: FileKind, seen: ReadonlySet<string>) {
  const key = isOfCompany(kind) ? ['company_id', 'id'] : ['id'];
  const { columns, links, written = Object.keys(columns).filter((column) => column !== links?.column) } = kind;
  // Columns that `toRow` computes are always set.
  const has = (column: string) => seen.has(column) || !(column in columns);
  return {
    key,
    values: written.filter((column) => !key.includes(column) && has(column)),
    links: links && seen.has(links.column) ? links : undefined,
  };
}
