import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Database } from '../tables.ts';
import { type FileKind, isOfCompany, linkedIds } from './file-kind.ts';
import { Mistakes } from './mistakes.ts';
import { describeOtherCompanies, retireAbsent, stagedTable } from './retire-rows.ts';
import { batchSize } from './rows.ts';
import { type ImportOptions, type InputFile, type Staged, stageFile, type Target } from './stage-file.ts';

interface ImportCounts {
  added: number;
  changed: number;
  unchanged: number;
  /** The number of deleted rows, with `retire`. */
  retired?: number;
  /** Only for kinds with links. */
  links?: number;
}

/**
 * Imports files of any size in a transaction; rows may refer to rows of earlier files. Throws an OperatorError if there is
 * any mistake, or if it would retire more rows than allowed. Returns the counts by the kind of file, whether any row changed,
 * and sentences about the rows that stay though a file lacks them.
 */
export async function importFiles(transaction: Database, files: readonly InputFile[], options: ImportOptions) {
  const { company, retire, dryRun = false } = options;
  // The dry run of one file writes nothing, so that it blocks no other command. Several need the rows of each other.
  const isOnlyChecked = dryRun && files.length === 1;
  const mistakes = new Mistakes(options.onMistake);
  const imported: { file: InputFile; counts: ImportCounts }[] = [];
  // Rows may swap unique values, or take those of retired rows.
  await sql`set constraints all deferred`.execute(transaction);
  for (const file of files) {
    const staged = await stageFile(transaction, file, mistakes, options);
    if (mistakes.isEmpty) {
      imported.push({ file, counts: await countChanges(transaction, staged, retire !== undefined) });
      if (!isOnlyChecked) await writeStaged(transaction, staged, options);
    }
    await sql`alter table file rename to ${stagedTable(file.kind)}`.execute(transaction);
  }
  mistakes.ensureNone();
  const kept: string[] = [];
  // Delete rows that reference others first.
  for (const { file, counts } of retire === undefined ? [] : imported.toReversed()) {
    const { retired, staying } = await retireAbsent(transaction, file, mistakes, {
      ...options,
      dryRun: isOnlyChecked,
    });
    counts.retired = retired;
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
  return { counts, changed, kept };
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
  // In a transaction, `now()` is the time when it began.
  const stamp = (table: string) => sql`update ${sql.table(table)} set updated_at = clock_timestamp()
    where company_id in (select company_id from named) and updated_at >= now()`;
  await sql`with named as (${sql.join(companies, sql` union `)}), items as (${stamp('items')})
    ${stamp('product_tags')}`.execute(transaction);
}

// Connections of the service then plan their statements again. Until then, the plans of a small table would read all of it for
// each link that a request writes.
async function analyzeTables(transaction: Database, files: readonly InputFile[]): Promise<void> {
  const tables = files.flatMap(({ kind: { table, links } }) => [table, ...(links ? [links.table] : [])]);
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(transaction);
}

function ensureAtMost(most: number, imported: readonly { file: InputFile; counts: ImportCounts }[]): void {
  const retired = imported.map(({ file, counts }) => [counts.retired ?? 0, file.kind.file] as const);
  const total = retired.reduce((sum, [count]) => sum + count, 0);
  if (total <= most) return;
  const lacking = retired.filter(([count]) => count > 0).map((each) => each.join(' '));
  throw new OperatorError(
    `${lacking.join(', ')} would be retired, and --retire allows ${most}. Nothing was changed. Check the file, or raise the number.`,
  );
}

const list = (columns: readonly string[], prefix = sql``) =>
  sql.join(columns.map((column) => sql`${prefix}${sql.id(column)}`));

async function countChanges(transaction: Database, staged: Staged, retire: boolean): Promise<ImportCounts> {
  const { links } = staged.kind;
  const counts = { added: 0, changed: 0, unchanged: 0, ...(retire && { retired: 0 }), ...(links && { links: 0 }) };
  for (const target of staged.targets) {
    for (const [name, count] of Object.entries(await countTarget(transaction, staged.kind, target)))
      counts[name as 'added'] += count;
  }
  return counts;
}

async function countTarget(transaction: Database, kind: FileKind, target: Target): Promise<object> {
  const { table, links: counted } = kind;
  const { key, matches, values, links } = target;
  const [present, file] = [sql`present.`, sql`file.`];
  const differs = sql`(${list(values, present)}) is distinct from (${list(values, file)})`;
  const listed = links && sql`array(select unnest(${file}${sql.id(links.column)}) order by 1)`;
  const isChanged = links ? sql`${differs} or ${linkedIds(links, sql`present`)} <> ${listed}` : differs;
  const linkCount = counted && sql`, coalesce(sum(cardinality(${sql.id(counted.column)})), 0)::integer as links`;
  const { rows } = await sql<object>`select
      count(*) filter (where state is null)::integer as added,
      count(*) filter (where state)::integer as changed,
      count(*) filter (where not state)::integer as unchanged ${linkCount ?? sql``}
    from (
      select file.*, case when present.id is not null then ${isChanged} end as state
      from file left join ${sql.table(table)} as present using (${list(key)}) where ${matches}
    ) as each`.execute(transaction);
  return rows[0] ?? {};
}

/** Writes the temporary table `file`. Columns that a record lacks keep their values. */
async function writeStaged(transaction: Database, staged: Staged, options: ImportOptions): Promise<void> {
  const { table } = staged.kind;
  const { lines } = staged;
  await sql`update file set id = given.id from (
      select line, nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id
      from (select line from file where id is null order by line) as unnamed
    ) as given where file.line = given.line`.execute(transaction);
  for (let start = 0; start <= lines; start += batchSize) {
    for (const target of staged.targets) await writeLines(transaction, staged.kind, target, start, options);
    options.onProgress?.(`${Math.min(start + batchSize, lines)} of ${lines} lines written`);
    // The embedded database works in microtasks, which block the event loop.
    await setImmediate();
  }
}

async function writeLines(
  db: Database,
  kind: FileKind,
  { key, matches, values, links }: Target,
  start: number,
  { update }: ImportOptions,
): Promise<void> {
  const columns = list([...key, ...values]);
  const changes = sql.join(values.map((column) => sql`${sql.id(column)} = excluded.${sql.id(column)}`));
  const written = sql.table(kind.table);
  const batch = sql`(
    select * from file where line > ${start} and line <= ${start + batchSize} and ${matches}
  ) as file`;
  const onConflict = sql`on conflict (${list(key)}) do update set ${changes}
    where (${list(values, sql`${written}.`)}) is distinct from (${list(values, sql`excluded.`)})`;
  await sql`insert into ${written} (${columns}) select ${columns} from ${batch} order by line
    ${update ? onConflict : sql``}`.execute(db);
  if (links === undefined) return;
  const [owner, target, wanted] = [links.owner, links.target, links.column].map((name) => sql.id(name));
  await sql`delete from ${sql.table(links.table)} as link using ${batch}
    where link.company_id = file.company_id and link.${owner} = file.id
      and link.${target} <> all(coalesce(file.${wanted}, '{}'))`.execute(db);
  await sql`insert into ${sql.table(links.table)} (company_id, ${owner}, ${target})
    select company_id, id, unnest(${wanted}) from ${batch} on conflict do nothing`.execute(db);
}
