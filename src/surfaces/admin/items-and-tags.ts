import type { Columns, FileRecord } from '../../domain/import/columns.ts';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import type { ImportOptions } from '../../domain/import/rows.ts';
import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import { listAllItems } from '../../domain/partner/items/item.queries.ts';
import { importItems, itemFileColumns } from '../../domain/partner/items/item-import.ts';
import { importTags, listAllTags, tagFileColumns } from '../../domain/partner/product-tags/tag-import.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './commands.ts';
import { readInput, writeWhole } from './files.ts';
import { companyOption } from './options.ts';
import { countsOf, csvOf, jsonOf, type Row } from './output.ts';

const itemNotes = `
  item_type  product, modifier_group or modifier
  name_en    name in English, 1 to 255 characters
  name_ar    name in Arabic, 1 to 255 characters
  id         optional; an item without an id gets the next free one

An id of an existing item is rejected without --update. A row without an id that is the same as an existing item is rejected.`;

const tagNotes = `
  id        kept, so that partners can go on using the ids that they have stored
  name_en   name in English, 3 to 50 characters
  name_ar   optional name in Arabic, 3 to 50 characters
  item_ids  optional products of the company: ids between semicolons, or a list in JSON`;

/** The commands to import, list and export what a company has. */
export function addItemAndTagCommands(admin: Admin): void {
  addRowCommands(admin, 'item', itemFileColumns, importItems, listAllItems)
    .addHelpText('after', itemNotes)
    .option('--update', 'change the items whose id exists already');
  addRowCommands(admin, 'tag', tagFileColumns, importTags, listAllTags).addHelpText('after', tagNotes);
}

type Import<C extends Columns> = (
  db: Database,
  records: FileRecord<C>[],
  mistakes: Mistakes,
  options: ImportOptions,
) => Promise<Record<string, number>>;

// Returns the import command, which passes all its options on.
function addRowCommands<C extends Columns>(
  admin: Admin,
  noun: string,
  columns: C,
  importRecords: Import<C>,
  listRows: (db: Database, company: number) => Promise<Row[]>,
) {
  const command = admin.group(noun, `${noun}s of a company`);
  const read = (company: number) => async (db: Database) => {
    await ensureCompany(db, company);
    return listRows(db, company);
  };

  command('list', `list the ${noun}s of a company, by id`, '--company 3')
    .requiredOption(...companyOption)
    .action(({ company }) => admin.list(read(company)));

  command(
    'export',
    `write the file that ${noun} import reads`,
    `--company 3 > ${noun}s.csv`,
    `${noun}s.csv --company 3`,
  )
    .argument('[file]', 'the file; standard output without it')
    .requiredOption(...companyOption)
    .action(async (file, { company }) => {
      const rows = await admin.withDatabase(read(company));
      const text = admin.isJson ? jsonOf(rows) : csvOf(rows, Object.keys(columns));
      if (file === undefined) admin.output.print(text);
      else writeWhole(file, `${text}\n`);
    });

  return command(
    'import',
    `import the ${noun}s of a file, all or nothing; each mistake is reported with its line`,
    `${noun}s.csv --company 3`,
    `- --company 3 --dry-run < ${noun}s.csv`,
  )
    .addHelpText('after', '\nThe file is CSV in UTF-8, JSON lines or a JSON array. Its columns, in any order:')
    .argument('<file>', 'the file; - reads standard input')
    .requiredOption(...companyOption)
    .option('--dry-run', 'only check the file; write nothing')
    .action(async (file, options) => {
      const content = await readInput(file);
      await admin.change(async (db) => {
        await ensureCompany(db, options.company);
        const mistakes = new Mistakes();
        const records = readRecords(content, { columns, mistakes });
        const onProgress = (state: string) => admin.output.progress(state);
        const counts = await importRecords(db, records, mistakes, { ...options, onProgress });
        const changed = Boolean(counts.added || counts.changed);
        return { text: countsOf(counts), data: counts, changed };
      });
    });
}
