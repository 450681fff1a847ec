import { type RawBuilder, sql } from 'kysely';
import { anyOf } from '../../platform/database/statement.ts';
import type { Database } from '../tables.ts';
import { type FileKind, isOfCompany } from './file-kind.ts';
import type { Mistakes } from './mistakes.ts';
import { isAbsent } from './rows.ts';
import type { ImportOptions, InputFile } from './stage-file.ts';

interface Retired {
  /** The ids of the rows that were deleted, or would be, ascending. */
  retired: number[];
  /** By id, why the other rows stay. */
  staying: Map<number, string>;
}

/** The temporary table `file`, renamed after its rows are written. */
export const stagedTable = ({ file }: FileKind) => sql.table(`file_${file}`);

/**
 * Deletes the rows that a file lacks, of the companies that it names. A mistake is a line with the unique value of a row
 * that stays.
 */
export async function retireAbsent(
  transaction: Database,
  { kind, name }: InputFile,
  mistakes: Mistakes,
  { dryRun }: ImportOptions,
): Promise<Retired> {
  const file = stagedTable(kind);
  const isOwn = isOfCompany(kind) ? isNamed(file) : sql`true`;
  const { retired, staying } = await retireRows(transaction, kind, sql`${isOwn} and ${isAbsent(file)}`, { dryRun });
  if (kind.unique === undefined) return { retired, staying };
  const unique = sql.id(kind.unique);
  const { rows } = await sql<{ line: number; value: string; id: number }>`
    select line, ${unique} as value, present.id
    from ${file} as file join ${sql.table(kind.table)} as present using (${unique})
    where present.id = ${anyOf([...staying.keys()])}`.execute(transaction);
  for (const { line, value, id } of rows) {
    const message = `${value} is taken: ${staying.get(id)}`;
    mistakes.add({ file: name, line, column: kind.unique, value, kind: 'is taken by a row that stays', message });
  }
  return { retired, staying };
}

/** SQL for whether a file names the company of the row `present`. */
export const isNamed = (file: RawBuilder<unknown>) => sql`present.company_id in (select company_id from ${file})`;

/** A sentence with the companies that a file does not name and the number of their rows; undefined if there are none. */
export async function describeOtherCompanies(transaction: Database, kind: FileKind): Promise<string | undefined> {
  const { rows } = await sql<{ list: string | null }>`
    select string_agg(format('%s (%s ${sql.raw(kind.file)})', company_id, count), ', ' order by company_id) as list from (
      select company_id, count(*) from ${sql.table(kind.table)} as present
      where not ${isNamed(stagedTable(kind))} group by company_id
    ) as each`.execute(transaction);
  const list = rows[0]?.list;
  return list ? `Nothing is retired in companies that the file does not name: ${list}` : undefined;
}

/** Deletes the rows that meet a condition, which names them `present`, unless another row references them. */
export async function retireRows(
  transaction: Database,
  { table, referencedBy = [] }: FileKind,
  condition: RawBuilder<unknown>,
  { dryRun = false }: Pick<ImportOptions, 'dryRun'> = {},
): Promise<Retired> {
  const staying = new Map<number, string>();
  for (const [user, column, key] of referencedBy) {
    const { rows } = await sql<{ id: number; name: string; by: number }>`
      select present.id, present.name_en as name, min(${sql.ref(`${user}.${key}`)}) as by
      from ${sql.table(table)} as present join ${sql.table(user)} on ${sql.ref(`${user}.${column}`)} = present.id
      where ${condition} group by present.id, present.name_en`.execute(transaction);
    for (const { id, name, by } of rows) {
      if (staying.has(id)) continue;
      staying.set(id, `${table} ${id} (${name}) stays: the row of ${user} with ${key} ${by} references it`);
    }
  }
  const retired = sql`from ${sql.table(table)} as present
    where ${condition} and not present.id = ${anyOf([...staying.keys()])}`;
  const deleted = dryRun ? sql`select present.id ${retired}` : sql`delete ${retired} returning present.id`;
  const { rows } = await sql<{ id: number }>`with deleted as (${deleted}) select id from deleted order by id`.execute(
    transaction,
  );
  return { retired: rows.map(({ id }) => id), staying };
}
