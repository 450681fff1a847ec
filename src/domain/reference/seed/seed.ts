import { sql } from 'kysely';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { snakeCased } from '../../files/columns.ts';
import { fileRows } from '../../files/rows.ts';
import type { Database } from '../../tables.ts';
import { type Entry, listEntries } from '../list-entries.ts';
import { fileOf, type ReferenceListName, referenceListNames, shippedOf } from '../lists.ts';
import { addDemoPartners } from './seed-demo.ts';

/**
 * Fills empty lists, and adds missing shipped entries to the list `update`. With `demo`, also fills sample lists, and
 * adds missing demo partners. Existing rows stay as they are; skips entries that clash with them or that refer to
 * missing ones, and reports them in `skipped`.
 */
export async function seed(
  db: Database,
  { demo = false, update }: { demo?: boolean; update?: ReferenceListName | undefined } = {},
) {
  return inTransaction(db, async (transaction) => {
    const added: Record<string, number> = {};
    const skipped: string[] = [];
    for (const list of referenceListNames) {
      const present = await listEntries(transaction, list);
      const isDue = list === update || (present.length === 0 && (demo || !shippedOf(list).isSample));
      if (isDue) added[list] = await addShipped(transaction, list, present, skipped);
    }
    const partners = demo ? await addDemoPartners(transaction, skipped) : [];
    return { added, skipped, partners };
  });
}

async function addShipped(
  transaction: Database,
  list: ReferenceListName,
  present: Entry[],
  skipped: string[],
): Promise<number> {
  const { table, unique, references = {} } = fileOf(list);
  const targets = await Promise.all(
    Object.entries(references).map(async ([column, { table }]) => {
      const entries = await listEntries(transaction, table as ReferenceListName);
      return { column, ids: new Set<unknown>(entries.map(({ id }) => id)) };
    }),
  );
  const describe = (entry: Entry) =>
    `id ${entry.id}${unique ? `, ${unique} ${entry[unique]}` : ''} (${entry.name_en ?? entry.name})`;
  const wanted: Entry[] = [];
  for (const entry of shippedOf(list).shipped.map((row) => snakeCased(row)) as Entry[]) {
    const same = present.find(({ id }) => id === entry.id);
    const clash = unique && present.find((other) => (other === same) !== (other[unique] === entry[unique]));
    const lack = targets.find(({ column, ids }) => !ids.has(entry[column]));
    if (clash) skipped.push(`${list}: shipped ${describe(entry)} clashes with ${describe(clash)}`);
    else if (lack && !same) skipped.push(`${list}: shipped ${describe(entry)} refers to a missing ${lack.column}`);
    else if (!same) wanted.push(entry);
  }
  await sql`insert into ${sql.table(table)} select * from ${fileRows(table, wanted)}`.execute(transaction);
  return wanted.length;
}
