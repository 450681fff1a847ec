import { sql } from 'kysely';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { toSnakeCaseKeys } from '../../files/columns.ts';
import type { Database } from '../../tables.ts';
import { getShippedRows, type ReferenceListName, referenceListNames } from '../lists.ts';
import { addDemoPartners } from './demo-partners.ts';

/** Fills empty lists. `update` also gets missing shipped entries; `demo` also fills sample lists and adds demo partners. */
export async function seed(
  db: Database,
  { demo = false, update }: { demo?: boolean; update?: ReferenceListName | undefined } = {},
) {
  return inTransaction(db, async (transaction) => {
    const added: Record<string, number> = {};
    const skipped: string[] = [];
    for (const list of referenceListNames) {
      const { shipped, isSample } = getShippedRows(list);
      if (isSample && !demo && list !== update) continue;
      const present = list === update ? sql`where present.id = shipped.id` : sql``;
      const rows = JSON.stringify(shipped.map((row) => toSnakeCaseKeys(row)));
      const { numAffectedRows } = await sql`insert into ${sql.table(list)}
        select * from json_populate_recordset(null::${sql.table(list)}, ${rows}::json) as shipped
        where not exists (select from ${sql.table(list)} as present ${present})`.execute(transaction);
      if (numAffectedRows) added[list] = Number(numAffectedRows);
    }
    const partners = demo ? await addDemoPartners(transaction, skipped) : [];
    return { added, skipped, partners };
  });
}
