import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type ExportedRows, exportFile } from './export-file.ts';
import { type FileKind, isChanged, isOfCompany, isSameRow } from './file-kind.ts';
import { isNamed } from './retire-rows.ts';
import { isAbsent } from './rows.ts';
import type { ImportOptions } from './stage-file.ts';

/** The rows that the temporary table `file` changes or retires, and those that link to the retired ones, as they are. */
export function previousRows(
  transaction: Database,
  kind: FileKind,
  { retire, linking = [] }: ImportOptions,
): ExportedRows[] {
  const table = sql.table(kind.table);
  const changed = sql`select present.id from ${table} as present join file on ${isSameRow(kind)} where ${isChanged(kind)}`;
  const isOwn = isOfCompany(kind) ? isNamed(sql.table('file')) : sql`true`;
  const retired = sql`select present.id from ${table} as present where ${isOwn} and ${isAbsent()}`;
  const read = (each: FileKind, ids: RawBuilder<unknown>) =>
    exportFile(transaction, each, { condition: sql`present.id in (${ids})` });
  if (retire === undefined) return [read(kind, changed)];
  const linked = linking.flatMap((other) => {
    if (other.links === undefined) return [];
    const { table, owner, target } = other.links;
    return read(other, sql`select ${sql.id(owner)} from ${sql.table(table)} where ${sql.id(target)} in (${retired})`);
  });
  return [read(kind, sql`${changed} union all ${retired}`), ...linked];
}
