import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Database } from '../tables.ts';
import { type FileFormat, hasCompany, type ImportError } from './file-format.ts';
import { maxErrors, readCsv } from './read-csv.ts';

const batchSize = 5_000;

/** Higher ids do not advance the sequence, so that ids never run out. */
const maxLastId = 2_000_000_000;

interface ImportOptions {
  /** The company of all lines if the file has no column `company_id`. */
  company?: number | undefined;
  /** Deletes at most this number of rows that the file lacks; by default none. */
  deleteMissing?: number | undefined;
  dryRun?: boolean | undefined;
}

/** Columns that the file lacks stay as they are. Throws an OperatorError that lists errors by line. */
export async function importFile(
  db: Database,
  format: FileFormat,
  input: Readable,
  options: ImportOptions,
): Promise<Record<string, number>> {
  const { company, deleteMissing, dryRun = false } = options;
  const errors: ImportError[] = [];
  const { rows, fileColumns } = await stageRows(db, format, input, errors, company);
  // Serializes imports. Rows may swap unique values.
  await sql`select pg_advisory_xact_lock(hashtext('import'))`.execute(db);
  await sql`set constraints all deferred`.execute(db);
  if (rows > 0)
    errors.push(...(await sql<ImportError>`${buildChecks(format)} limit ${sql.lit(maxErrors)}`.execute(db)).rows);
  ensureNoErrors(errors);

  const deleted =
    deleteMissing === undefined ? {} : { deleted: await deleteMissingRows(db, format, company, deleteMissing) };
  const written = rows > 0 ? await writeRows(db, format, fileColumns, dryRun) : { added: 0, changed: 0 };
  // Otherwise a dry run would miss these errors.
  await sql`set constraints all immediate`.execute(db);
  // Connections of the service then plan their statements for this size.
  const tables = [format.table, ...(format.links ? [format.links.table] : [])].map((table) => sql.table(table));
  await sql`analyze ${sql.join(tables)}`.execute(db);
  return { rows, ...written, ...deleted };
}

async function stageRows(
  db: Database,
  { table, columns, links }: FileFormat,
  input: Readable,
  errors: ImportError[],
  company: number | undefined,
) {
  const list = links ? sql`, null::integer[] as ${sql.id(links.column)}` : sql``;
  await sql`create temporary table file on commit drop as
    select 0 as line, ${sql.table(table)}.* ${list} from ${sql.table(table)} limit 0`.execute(db);
  const { company_id: _, ...ownColumns } = columns;
  let rows = 0;
  let fileColumns: string[] = [];
  let batch: object[] = [];
  const flush = async () => {
    await sql`insert into file select * from json_populate_recordset(null::file, ${JSON.stringify(batch)}::json)`.execute(
      db,
    );
    batch = [];
  };
  for await (const { line, ...values } of readCsv(input, company === undefined ? columns : ownColumns, errors)) {
    rows += 1;
    if (rows === 1) fileColumns = Object.keys(values);
    batch.push({ line, ...values, ...(company !== undefined && { company_id: company }) });
    if (batch.length === batchSize) await flush();
  }
  await flush();
  await sql`analyze file`.execute(db);
  return { rows, fileColumns };
}

function buildChecks(format: FileFormat): RawBuilder<unknown> {
  const { table, references = {}, rules = [] } = format;
  const checks: RawBuilder<unknown>[] = [
    sql`select line, 'id', format('%s is also on line %s', id, first)
      from (select line, id, min(line) over (partition by id) as first from file where id is not null) as duplicate
      where line > first`,
    ...Object.entries(references).map(
      ([
        column,
        target,
      ]) => sql`select line, ${sql.lit(column)}, format('%s has no id %s', ${sql.lit(target)}, ${sql.id(column)})
        from file where ${sql.id(column)} is not null
          and not exists (select from ${sql.table(target)} as target where target.id = file.${sql.id(column)})`,
    ),
    ...rules,
  ];
  if (hasCompany(format)) {
    checks.push(sql`select line, 'id', format('%s is of company %s', id, present.company_id)
      from file join ${sql.table(table)} as present using (id) where present.company_id <> file.company_id`);
  }
  return sql`select * from (${sql.join(checks, sql` union all `)}) as error (line, "column", message) order by line, "column"`;
}

function ensureNoErrors(errors: ImportError[]): void {
  if (errors.length === 0) return;
  const lines = errors
    .toSorted((a, b) => a.line - b.line)
    .slice(0, maxErrors)
    .map(({ line, column, message }) => `line ${line}${column === null ? '' : `, ${column}`}: ${message}`);
  const more = lines.length === maxErrors ? `These are the first ${maxErrors} errors. ` : '';
  throw new OperatorError([...lines, `${more}No changes were made.`].join('\n'));
}

async function deleteMissingRows(
  db: Database,
  { table, columns }: FileFormat,
  company: number | undefined,
  maxDeleted: number,
) {
  const companies = company === undefined ? sql`in (select company_id from file)` : sql`= ${company}`;
  const isInScope = 'company_id' in columns ? sql`company_id ${companies}` : sql`true`;
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} as present
    where ${isInScope} and not exists (select from file where file.id = present.id)`.execute(db);
  if (numAffectedRows <= maxDeleted) return Number(numAffectedRows);
  throw new OperatorError(
    `The import would delete ${numAffectedRows} rows, but --delete-missing allows ${maxDeleted}. No changes were made.`,
  );
}

async function writeRows(
  db: Database,
  format: FileFormat,
  fileColumns: readonly string[],
  dryRun: boolean,
): Promise<Record<string, number>> {
  const table = sql.table(format.table);
  const sequence = sql`pg_get_serial_sequence(${format.table}, 'id')`;
  const key = hasCompany(format) ? ['company_id', 'id'] : ['id'];
  const values = fileColumns.filter((column) => !key.includes(column) && column !== format.links?.column);
  const list = (columns: readonly string[], of: string) =>
    sql.join(columns.map((column) => sql.ref(`${of}.${column}`)));
  const isSame = sql`(${list(key, 'present')}) = (${list(key, 'file')})`;
  // A rollback does not undo this.
  if (!dryRun) {
    await sql`select setval(${sequence}, max(id)) from file where id <= ${sql.lit(maxLastId)}
      having max(id) > coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`.execute(db);
  }
  await sql`update file set id = nextval(${sequence}) where id is null`.execute(db);
  const isDifferent = (columns: readonly string[]) =>
    sql`(${list(columns, 'present')}) is distinct from (${list(columns, 'file')})`;
  // Locks in the same order as requests, to prevent deadlocks.
  const { rows } = await sql<{ changed: number }>`
    select count(*) filter (where differs)::integer as changed from (
      select ${isDifferent(values)} as differs from ${table} as present join file on ${isSame}
      order by ${list(key, 'present')} for no key update of present
    ) as locked`.execute(db);
  for (const columns of Map.groupBy(values, (column) => column === format.keyColumn).values()) {
    const changes = columns.map((column) => sql`${sql.id(column)} = ${sql.ref(`file.${column}`)}`);
    await sql`update ${table} as present set ${sql.join(changes)} from file
      where ${isSame} and ${isDifferent(columns)}`.execute(db);
  }
  const added = await sql`insert into ${table} (${sql.join([...key, ...values].map((column) => sql.id(column)))})
    select ${list([...key, ...values], 'file')} from file
    where not exists (select from ${table} as present where ${isSame}) order by line`.execute(db);
  const counts = { added: Number(added.numAffectedRows), changed: rows[0]?.changed ?? 0 };
  const { links } = format;
  if (links === undefined || !fileColumns.includes(links.column)) return counts;
  const [owner, target, targetIds] = [links.owner, links.target, links.column].map((name) => sql.id(name));
  const unlinked = await sql`delete from ${sql.table(links.table)} as link using file
    where link.company_id = file.company_id and link.${owner} = file.id
      and link.${target} <> all(coalesce(file.${targetIds}, '{}'))`.execute(db);
  const linked = await sql`insert into ${sql.table(links.table)} (company_id, ${owner}, ${target})
    select company_id, id, unnest(${targetIds}) from file on conflict do nothing`.execute(db);
  return { ...counts, linked: Number(linked.numAffectedRows), unlinked: Number(unlinked.numAffectedRows) };
}
