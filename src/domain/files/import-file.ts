import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type Fault, type FileKind, isOfCompany, linkedIds } from './file-kind.ts';
import { Mistakes, shownMistakes } from './mistakes.ts';
import { readRecords } from './read-records.ts';
import { advanceSequence, fileRows } from './rows.ts';

interface StageOptions {
  /** The file's name for error messages, if an import has several files. */
  file?: string;
  /** The company of all records, in place of the column `company_id`. */
  company?: number | undefined;
  /** Whether records update existing rows; otherwise an existing id is a mistake. */
  update?: boolean | undefined;
  /** Whether the caller rolls the transaction back. */
  dryRun?: boolean | undefined;
  /** Receives progress messages. */
  onProgress?(state: string): void;
}

interface WriteOptions extends Pick<StageOptions, 'onProgress' | 'company'> {
  /** Whether to delete the rows that the file lacks, of `company` if it is set. */
  retire?: boolean | undefined;
}

export interface ImportCounts {
  added: number;
  changed: number;
  unchanged: number;
  /** The number of deleted rows, with `retire`. */
  retired?: number;
  /** Only for kinds with links. */
  links?: number;
}

/** Number of lines that a statement reads or writes. The process handles signals between statements. */
const batchSize = 5_000;

/** Imports a file of any size in a transaction. Throws a StartError before writing if there is any mistake. */
export async function importFile(
  transaction: Database,
  kind: FileKind,
  input: Readable,
  options: StageOptions & WriteOptions,
): Promise<ImportCounts> {
  const mistakes = new Mistakes();
  const staged = await stageFile(transaction, kind, input, mistakes, options);
  mistakes.ensureNone();
  const { dryRun, retire, company } = options;
  if (!dryRun) return writeStaged(transaction, kind, staged, options);
  return countChanges(transaction, kind, staged, retire ? { company } : undefined);
}

/** A file that was read into the temporary table `file`. */
interface Staged {
  lines: number;
  target: Target;
  update: boolean;
}

/** Reads a file into the temporary table `file`, and checks there the rules that span several rows. */
export async function stageFile(
  transaction: Database,
  kind: FileKind,
  input: Readable,
  mistakes: Mistakes,
  options: StageOptions,
): Promise<Staged> {
  const { file, company, update = false, dryRun } = options;
  const seen = new Set<string>(company === undefined ? [] : ['company_id']);
  const lines = await fillTable(transaction, kind, input, mistakes, seen, options);
  if (!dryRun) await reserveIds(transaction, kind.table);
  const { rows: faults } = await faultsOf(kind, update).execute(transaction);
  for (const { line, column, message } of faults) mistakes.add({ file, line, column: column ?? undefined, message });
  mistakes.addUnlisted((faults[0]?.total ?? 0) - faults.length);
  return { lines, target: targetOf(kind, seen), update };
}

/** Returns the number of lines. */
async function fillTable(
  transaction: Database,
  { table, columns, links, toRow }: FileKind,
  input: Readable,
  mistakes: Mistakes,
  seen: Set<string>,
  { file, company, onProgress }: StageOptions,
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
  const read = { columns: company === undefined ? columns : ownColumns, mistakes, seen, ...(file && { file }) };
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

/** A query for the first faults and the number of all faults. */
function faultsOf(kind: FileKind, update: boolean): RawBuilder<Fault & { total: number }> {
  const { table, one, references = {}, rules = [] } = kind;
  const other = `%s is ${one} of another company (%s)`;
  const taken = `%s is ${one} already; --update changes existing rows`;
  const repeated = sql<Fault>`select line, 'id', format('%s is on line %s already', id, first)
    from (select line, id, min(line) over (partition by id) as first from file where id is not null) as each
    where line > first`;
  const isOther = isOfCompany(kind) ? sql`present.company_id <> file.company_id` : sql`false`;
  const owner = isOfCompany(kind) ? sql`present.company_id` : sql`null`;
  const present = sql<Fault>`select line, 'id',
      case when ${isOther} then format(${sql.lit(other)}, id, ${owner}) else format(${sql.lit(taken)}, id) end
    from file join ${sql.table(table)} as present using (id) where ${sql.lit(!update)} or ${isOther}`;
  const missing = Object.entries(references).map(
    ([column, { table, one }]) => sql<Fault>`select line, ${sql.lit(column)},
        format(${sql.lit(`there is no ${one} %s`)}, ${sql.id(column)})
      from file where not exists (select from ${sql.table(table)} as target where target.id = file.${sql.id(column)})`,
  );
  const all = sql.join([repeated, present, ...missing, ...rules], sql` union all `);
  return sql`select line, "column", message, count(*) over ()::integer as total
    from (${all}) as fault (line, "column", message) order by line limit ${sql.lit(shownMistakes)}`;
}

/** The key of the table, the other columns that the file sets, and its links. */
function targetOf(kind: FileKind, seen: ReadonlySet<string>) {
  const key = isOfCompany(kind) ? ['company_id', 'id'] : ['id'];
  // Columns that `toRow` computes are always set.
  const has = (column: string) => seen.has(column) || !(column in kind.columns);
  return {
    key,
    values: kind.written.filter((column) => !key.includes(column) && has(column)),
    links: kind.links && seen.has(kind.links.column) ? kind.links : undefined,
  };
}

type Target = ReturnType<typeof targetOf>;

const list = (columns: readonly string[], prefix = sql``) =>
  sql.join(columns.map((column) => sql`${prefix}${sql.id(column)}`));

async function countChanges(
  transaction: Database,
  { table, links: counted }: FileKind,
  { target: { key, values, links } }: Staged,
  retire?: Pick<WriteOptions, 'company'>,
): Promise<ImportCounts> {
  const [present, file] = [sql`present.`, sql`file.`];
  const differs = sql`(${list(values, present)}) is distinct from (${list(values, file)})`;
  const listed = links && sql`array(select unnest(${file}${sql.id(links.column)}) order by 1)`;
  const isChanged = links ? sql`${differs} or ${linkedIds(links, sql`present`)} <> ${listed}` : differs;
  const linkCount = counted && sql`, coalesce(sum(cardinality(${sql.id(counted.column)})), 0)::integer as links`;
  const retired = retire
    ? sql`, (select count(*)::integer from ${sql.table(table)} where ${isAbsent(table, key, retire)}) as retired`
    : sql``;
  const { rows } = await sql<ImportCounts>`select
      count(*) filter (where state is null)::integer as added,
      count(*) filter (where state)::integer as changed,
      count(*) filter (where not state)::integer as unchanged ${retired} ${linkCount ?? sql``}
    from (
      select file.*, case when present.id is not null then ${isChanged} end as state
      from file left join ${sql.table(table)} as present using (${list(key)})
    ) as each`.execute(transaction);
  return rows[0] as ImportCounts;
}

/** SQL for whether the file lacks a row. */
function isAbsent(
  table: string,
  key: readonly string[],
  { company }: Pick<WriteOptions, 'company'>,
): RawBuilder<boolean> {
  const isOwn = company === undefined ? sql`true` : sql`company_id = ${company}`;
  const isSame = key.map((column) => sql`file.${sql.id(column)} = ${sql.table(table)}.${sql.id(column)}`);
  // PostgreSQL joins this; it would scan the file once for each row of a long `not in`.
  return sql`${isOwn} and not exists (select from file where ${sql.join(isSame, sql` and `)})`;
}

/** Writes a staged file. Columns that the file lacks keep their values. */
export async function writeStaged(
  transaction: Database,
  kind: FileKind,
  staged: Staged,
  { company, retire, onProgress }: WriteOptions,
): Promise<ImportCounts> {
  const { table, beforehand, afterwards } = kind;
  const { lines, target } = staged;
  const counts = await countChanges(transaction, kind, staged, retire ? { company } : undefined);
  await beforehand?.execute(transaction);
  // Rows may swap unique values.
  await sql`set constraints all deferred`.execute(transaction);
  if (retire)
    await sql`delete from ${sql.table(table)} where ${isAbsent(table, target.key, { company })}`.execute(transaction);
  await sql`update file set id = given.id from (
      select line, nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id
      from (select line from file where id is null order by line) as unnamed
    ) as given where file.line = given.line`.execute(transaction);
  for (let start = 0; start <= lines; start += batchSize) {
    await writeLines(transaction, table, staged, start);
    onProgress?.(`${Math.min(start + batchSize, lines)} of ${lines} lines written`);
    // The embedded database works in microtasks, which block the event loop.
    await setImmediate();
  }
  await afterwards?.execute(transaction);
  return counts;
}

// Runs before the ids are checked: other imports wait, and the service assigns higher ids. A rollback leaves a gap.
async function reserveIds(transaction: Database, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('import'))`.execute(transaction);
  const { rows } = await sql<{ highest: number }>`select coalesce(max(id), 0) as highest from file`.execute(
    transaction,
  );
  await advanceSequence(transaction, table, rows[0]?.highest);
}

async function writeLines(
  transaction: Database,
  table: string,
  { target: { key, values, links }, update }: Staged,
  start: number,
): Promise<void> {
  const columns = list([...key, ...values]);
  const changes = sql.join(values.map((column) => sql`${sql.id(column)} = excluded.${sql.id(column)}`));
  const written = sql.table(table);
  const batch = sql`(select * from file where line > ${start} and line <= ${start + batchSize}) as file`;
  const onConflict = sql`on conflict (${list(key)}) do update set ${changes}
    where (${list(values, sql`${written}.`)}) is distinct from (${list(values, sql`excluded.`)})`;
  await sql`insert into ${written} (${columns}) select ${columns} from ${batch} order by line
    ${update ? onConflict : sql``}`.execute(transaction);
  if (links === undefined) return;
  const [owner, target, wanted] = [links.owner, links.target, links.column].map((name) => sql.id(name));
  await sql`delete from ${sql.table(links.table)} as link using ${batch}
    where link.company_id = file.company_id and link.${owner} = file.id
      and link.${target} <> all(coalesce(file.${wanted}, '{}'))`.execute(transaction);
  await sql`insert into ${sql.table(links.table)} (company_id, ${owner}, ${target})
    select company_id, id, unnest(${wanted}) from ${batch} on conflict do nothing`.execute(transaction);
}
