import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Database } from '../tables.ts';
import {
  columnList,
  differs,
  type FileKind,
  isChanged,
  isOfCompany,
  isSameRow,
  keyOf,
  linkedIds,
  valuesOf,
} from './file-kind.ts';
import { Mistakes } from './mistakes.ts';
import { previousRows } from './previous-rows.ts';
import { describeOtherCompanies, retireAbsent, stagedTable } from './retire-rows.ts';
import { batchSize } from './rows.ts';
import { type ImportOptions, type InputFile, stageFile } from './stage-file.ts';

interface ImportCounts {
  added: number;
  changed: number;
  unchanged: number;
  /** The number of deleted rows, with `retire`. */
  retired?: number;
  /** Only for kinds with links. */
  links?: number;
}

/** The first ids of the rows that an import wrote, for the log of changes. */
type ImportedIds = Partial<Record<'added' | 'changed' | 'retired', number[]>>;

interface Imported {
  file: InputFile;
  counts: ImportCounts;
  ids: ImportedIds;
}

const maxLoggedIds = 1_000;

/**
 * Imports files of any size in a transaction; rows may refer to rows of earlier files. Throws an OperatorError if there is
 * any mistake, or if it would retire more rows than allowed. Returns the counts and the first ids by the kind of file, whether
 * any row changed, and sentences about the rows that stay though a file lacks them.
 */
export async function importFiles(transaction: Database, files: readonly InputFile[], options: ImportOptions) {
  const { company, retire, dryRun = false } = options;
  // The dry run of one file writes nothing, so that it blocks no other command. Several need the rows of each other.
  const isOnlyChecked = dryRun && files.length === 1;
  const mistakes = new Mistakes(options.onMistake);
  const imported: Imported[] = [];
  // Rows may swap unique values, or take those of retired rows.
  await sql`set constraints all deferred`.execute(transaction);
  for (const file of files) {
    const lines = await stageFile(transaction, file, mistakes, options);
    if (mistakes.isEmpty) {
      if (!isOnlyChecked) await lockPresent(transaction, file.kind, options);
      await fillAbsent(transaction, file.kind);
      if (!isOnlyChecked) await assignIds(transaction, file.kind);
      imported.push({ file, ...(await countChanges(transaction, file.kind, retire !== undefined)) });
      if (!dryRun) await options.onPrevious?.(previousRows(transaction, file.kind, options));
      if (!isOnlyChecked) await writeStaged(transaction, file.kind, lines, options);
    }
    await sql`alter table file rename to ${stagedTable(file.kind)}`.execute(transaction);
  }
  mistakes.ensureNone();
  const kept: string[] = [];
  // Delete rows that reference others first.
  for (const { file, counts, ids } of retire === undefined ? [] : imported.toReversed()) {
    const { retired, staying } = await retireAbsent(transaction, file, mistakes, {
      ...options,
      dryRun: isOnlyChecked,
    });
    counts.retired = retired.length;
    ids.retired = retired.slice(0, maxLoggedIds);
    kept.push(...staying.values());
    if (company === undefined && isOfCompany(file.kind))
      kept.push(...[await describeOtherCompanies(transaction, file.kind)].filter((others) => others !== undefined));
  }
  mistakes.ensureNone();
  ensureAtMost(retire ?? 0, imported);
  if (!isOnlyChecked) await stampChanges(transaction, files);
  if (!dryRun) await analyzeTables(transaction, files);
  const counts = Object.fromEntries(imported.map(({ file, counts }) => [file.kind.file, counts]));
  const changed = imported.some(({ counts }) => counts.added + counts.changed + (counts.retired ?? 0) > 0);
  const ids = Object.fromEntries(imported.map(({ file, ids }) => [file.kind.file, ids]));
  return { counts, changed, kept, ids };
}

// In the order in which requests lock tags, so that neither waits for the other. Requests can tag locked items.
async function lockPresent(transaction: Database, kind: FileKind, { update }: ImportOptions): Promise<void> {
  if (!update) return;
  const key = columnList(keyOf(kind));
  await sql`select count(*) from (
    select from ${sql.table(kind.table)} as present join file using (${key}) order by ${key} for no key update of present
  ) as locked`.execute(transaction);
}

// What a record lacks stays as it is.
async function fillAbsent(transaction: Database, kind: FileKind): Promise<void> {
  const { table, links } = kind;
  const fill = (column: string, value: RawBuilder<unknown>) =>
    sql`${sql.id(column)} = case when ${column} = any(absent) then ${value} else ${sql.ref(`file.${column}`)} end`;
  const cells = valuesOf(kind).map((column) => fill(column, sql.ref(`present.${column}`)));
  if (links) cells.push(fill(links.column, linkedIds(links, sql`present`)));
  await sql`update file set ${sql.join(cells)} from ${sql.table(table)} as present
    where ${isSameRow(kind)} and absent <> '{}'`.execute(transaction);
}

/**
 * Gives the items and tags that the transaction changed the present time. An import may take longer than clients look back
 * for changes.
 */
async function stampChanges(transaction: Database, files: readonly InputFile[]): Promise<void> {
  const companies = files
    .filter(({ kind }) => isOfCompany(kind))
    .map(({ kind }) => sql`select company_id from ${stagedTable(kind)}`);
  if (companies.length === 0) return;
  const stamp = (table: string) => sql`update ${sql.table(table)} set updated_at = clock_timestamp()
    where company_id in (select company_id from named) and xmin = pg_current_xact_id()::xid`;
  await sql`with named as (${sql.join(companies, sql` union `)}), items as (${stamp('items')})
    ${stamp('product_tags')}`.execute(transaction);
}

// Connections of the service then plan their statements again. Until then, the plans of a small table would read all of it for
// each link that a request writes.
async function analyzeTables(transaction: Database, files: readonly InputFile[]): Promise<void> {
  const tables = files.flatMap(({ kind: { table, links } }) => [table, ...(links ? [links.table] : [])]);
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(transaction);
}

function ensureAtMost(most: number, imported: readonly Imported[]): void {
  const retired = imported.map(({ file, counts }) => [counts.retired ?? 0, file.kind.file] as const);
  const total = retired.reduce((sum, [count]) => sum + count, 0);
  if (total <= most) return;
  const lacking = retired.filter(([count]) => count > 0).map((each) => each.join(' '));
  throw new OperatorError(
    `${lacking.join(', ')} would be retired, and --retire allows ${most}. Nothing was changed. Check the file, or raise the number.`,
  );
}

async function countChanges(
  transaction: Database,
  kind: FileKind,
  retire: boolean,
): Promise<Pick<Imported, 'counts' | 'ids'>> {
  const { table, links } = kind;
  const count = (state: string) => sql`count(*) filter (where state = ${state})::integer`;
  const idsOf = (state: string) => sql`coalesce(
    (array_agg(id order by id) filter (where state = ${state}))[:${sql.lit(maxLoggedIds)}], '{}')`;
  const linkCount =
    links &&
    sql`coalesce(sum(cardinality(${sql.id(links.column)}))
    filter (where ${links.column} <> all(absent)), 0)::integer`;
  const { rows } = await sql<ImportCounts & { addedIds: number[]; changedIds: number[] }>`
    select ${count('added')} as added, ${count('changed')} as changed, ${count('unchanged')} as unchanged
      ${retire ? sql`, 0 as retired` : sql``} ${linkCount ? sql`, ${linkCount} as links` : sql``},
      ${idsOf('added')} as added_ids, ${idsOf('changed')} as changed_ids
    from (
      select file.*, case when present.id is null then 'added' when ${isChanged(kind)} then 'changed' else 'unchanged' end as state
      from file left join ${sql.table(table)} as present on ${isSameRow(kind)}
    ) as each`.execute(transaction);
  const [{ addedIds, changedIds, ...counts }] = rows as [(typeof rows)[number]];
  return { counts, ids: { added: addedIds, changed: changedIds } };
}

async function assignIds(transaction: Database, { table }: FileKind): Promise<void> {
  await sql`update file set id = given.id from (
      select line, nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id
      from (select line from file where id is null order by line) as unnamed
    ) as given where file.line = given.line`.execute(transaction);
}

/** Writes the temporary table `file`. */
async function writeStaged(transaction: Database, kind: FileKind, lines: number, options: ImportOptions) {
  for (let start = 0; start <= lines; start += batchSize) {
    const batch = sql`(select * from file where line > ${start} and line <= ${start + batchSize}) as file`;
    await writeBatch(transaction, kind, batch, options);
    options.onProgress?.(`${Math.min(start + batchSize, lines)} of ${lines} lines written`);
    // The embedded database works in microtasks, which block the event loop.
    await setImmediate();
  }
}

async function writeBatch(
  db: Database,
  kind: FileKind,
  batch: RawBuilder<unknown>,
  { update }: ImportOptions,
): Promise<void> {
  const { links } = kind;
  const table = sql.table(kind.table);
  // `on conflict do update` would lock each row as if its key changed, so that requests that refer to it would wait.
  for (const columns of update ? Map.groupBy(valuesOf(kind), (column) => column === kind.keyColumn).values() : []) {
    const changes = columns.map((column) => sql`${sql.id(column)} = ${sql.ref(`file.${column}`)}`);
    await sql`update ${table} as present set ${sql.join(changes)} from ${batch}
      where ${isSameRow(kind)} and ${differs(columns)}`.execute(db);
  }
  const columns = columnList([...keyOf(kind), ...valuesOf(kind)]);
  const isNew = sql`where not exists (select from ${table} as present where ${isSameRow(kind)})`;
  await sql`insert into ${table} (${columns}) select ${columns} from ${batch} ${update ? isNew : sql``}
    order by line`.execute(db);
  if (links === undefined) return;
  const [owner, target, wanted] = [links.owner, links.target, links.column].map((name) => sql.id(name));
  await sql`delete from ${sql.table(links.table)} as link using ${batch}
    where link.company_id = file.company_id and link.${owner} = file.id
      and link.${target} <> all(coalesce(file.${wanted}, '{}'))`.execute(db);
  await sql`insert into ${sql.table(links.table)} (company_id, ${owner}, ${target})
    select company_id, id, unnest(${wanted}) from ${batch} on conflict do nothing`.execute(db);
}
