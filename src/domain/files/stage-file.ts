import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { ExportedRows } from './export-file.ts';
import { type Fault, type FileKind, isOfCompany } from './file-kind.ts';
import { lockImports } from './import-lock.ts';
import type { Mistake, Mistakes } from './mistakes.ts';
import { readRecords } from './read-records.ts';
import { advanceSequence, batchSize, fileRows, isAbsent, readJsonRows } from './rows.ts';

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
  /** The kinds of files whose rows lose links to retired rows. */
  linking?: FileKind[] | undefined;
  /** Receives the rows as they were, before they are written or deleted. */
  onPrevious?: ((files: ExportedRows[]) => Promise<void>) | undefined;
  /** Whether the caller rolls the transaction back. */
  dryRun?: boolean | undefined;
  /** Receives each mistake. */
  onMistake?: ((mistake: Mistake) => void) | undefined;
  /** Receives a text about another import that this one waits for. */
  onWait?(text: string): void;
  /** Receives progress messages. */
  onProgress?(state: string): void;
}

/** Reads a file into the temporary table `file`, checks there the rules that span several rows, and returns its last line. */
export async function stageFile(
  transaction: Database,
  file: InputFile,
  mistakes: Mistakes,
  options: ImportOptions,
): Promise<number> {
  const { kind, name } = file;
  // After a mistake in an earlier file, rows may be missing: do not report references to them.
  const checked = mistakes.isEmpty ? kind : { ...kind, references: {} };
  const report = ({ value, ...mistake }: Mistake) =>
    mistakes.add({ file: name, ...mistake, ...(!kind.isSecret && { value }) });
  const lines = await fillTable(transaction, file, report, options);
  if (options.retire !== undefined && mistakes.isEmpty) {
    if (lines === 0) report({ line: 1, kind: 'the file has no rows, so that all would be retired' });
    else if (!(await hasIds(transaction))) report({ line: 1, kind: 'no row has an id, so that all would be retired' });
  }
  const check = async (rules: FileKind) => {
    for await (const faults of readJsonRows(transaction, faultsOf(rules, options)))
      for (const fault of faults) report(JSON.parse(fault));
  };
  if (!options.dryRun) await lockImports(transaction, options.onWait);
  await check(checked);
  if (!options.dryRun && mistakes.isEmpty) {
    // The service then assigns higher ids. Only now, because nothing takes it back; it may have assigned ids of the file before.
    await advanceSequence(transaction, kind.table, sql`(select max(id) from file)`);
    const { unique: _, ...others } = kind;
    await check({ ...others, references: {}, rules: [] });
  }
  return lines;
}

async function fillTable(
  transaction: Database,
  { kind: { table, columns, links, toRow }, input }: InputFile,
  onMistake: (mistake: Mistake) => void,
  { company, onProgress }: ImportOptions,
): Promise<number> {
  const list = links ? sql`, null::integer[] as ${sql.id(links.column)}` : sql``;
  await sql`create temporary table file on commit drop as
    select 0 as line, '{}'::text[] as absent, true as is_valid, ${sql.table(table)}.* ${list} from ${sql.table(table)} limit 0`.execute(
    transaction,
  );
  await sql`alter table file add primary key (line)`.execute(transaction);

  const { company_id: _, ...ownColumns } = columns;
  let last = 0;
  let batch: object[] = [];
  const flush = async () => {
    await sql`insert into file select * from ${fileRows('file', batch)}`.execute(transaction);
    batch = [];
    onProgress?.(`${last} lines read`);
  };
  const read = company === undefined ? columns : ownColumns;
  for await (const record of readRecords(input, read, onMistake)) {
    const row = (record.is_valid && toRow?.(record)) || record;
    if (typeof row === 'string') onMistake({ line: record.line, id: record.id, kind: row });
    else batch.push(company === undefined ? row : { ...row, company_id: company });
    last = record.line;
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await sql`analyze file`.execute(transaction);
  return last;
}

async function hasIds(transaction: Database): Promise<boolean> {
  const { rows } = await sql`select from file where id is not null limit 1`.execute(transaction);
  return rows.length > 0;
}

/** A query for the faults by line, with the id of the record and the value of the column. */
function faultsOf(kind: FileKind, { update = false, retire }: ImportOptions): RawBuilder<unknown> {
  const { table, one, unique, references = {}, rules = [] } = kind;
  const exists = `is ${one} already; --update changes existing rows`;
  const repeated = sql<Fault>`
    select line, 'id', 'is on an earlier line already', format('%s is on line %s already', id, first)
    from (select line, id, min(line) over (partition by id) as first from file where id is not null) as each
    where line > first`;
  const isOther = isOfCompany(kind) ? sql`present.company_id <> file.company_id` : sql`false`;
  const present = sql<Fault>`
    select line, 'id', ${sql.lit(exists)}, format(${sql.lit(`%s ${exists}`)}, id)
    from file join ${sql.table(table)} as present using (id) where ${sql.lit(!update)} and not ${isOther}`;
  const ofOther = isOfCompany(kind) ? [ofOtherCompany(kind)] : [];
  const missing = Object.entries(references).map(
    ([column, { table, one }]) => sql<Fault>`
      select line, ${sql.lit(column)}, ${sql.lit(`there is no such ${one}`)},
        format(${sql.lit(`there is no ${one} %s`)}, ${sql.id(column)})
      from file where ${sql.id(column)} is not null
        and not exists (select from ${sql.table(table)} as target where target.id = file.${sql.id(column)})`,
  );
  const taken = unique ? [takenValues(table, unique, retire !== undefined)] : [];
  const all = [repeated, present, ...ofOther, ...missing, ...rules, ...taken];
  // PostgreSQL expects few faults, and would compare each one with each record in a join; `limit` makes it use the key.
  return sql`
    select fault.*, record.* from (${sql.join(all, sql` union all `)}) as fault (line, "column", kind, message)
      cross join lateral (
        select id, to_jsonb(file) -> fault."column" as value from file where file.line = fault.line limit 1
      ) as record
    order by line, "column", kind`;
}

function ofOtherCompany({ table, one }: FileKind): RawBuilder<Fault> {
  const kind = `is ${one} of another company`;
  return sql`select line, 'id', ${sql.lit(kind)}, format(${sql.lit(`%s ${kind} (%s)`)}, id, present.company_id)
    from file join ${sql.table(table)} as present using (id) where present.company_id <> file.company_id`;
}

/** A query for the unique values that an earlier line has, or a row that stays. */
function takenValues(table: string, unique: string, retire: boolean): RawBuilder<Fault> {
  const value = sql.id(unique);
  return sql`select line, ${sql.lit(unique)}, 'is taken', format('%s is taken: id %s has it', value, owner)
    from (
      select line, id, ${value} as value, first_value(id) over (partition by ${value} order by line) as owner from file
      union all
      select line, file.id, ${value}, present.id from file join ${sql.table(table)} as present using (${value})
      where ${sql.lit(!retire)} and ${isAbsent()}
    ) as each
    where owner <> id and value is not null`;
}
