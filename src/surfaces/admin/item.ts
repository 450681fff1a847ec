import { Option } from '@commander-js/extra-typings';
import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import { listAllItems } from '../../domain/partner/items/item.queries.ts';

import { importItems, itemFileColumns } from '../../domain/partner/items/item-import.ts';
import { type Database, type ItemTypeValue, itemTypes } from '../../domain/tables.ts';
import type { Admin } from './admin.ts';
import { exportRows, importRows, withFileOptions } from './files.ts';
import { parseId } from './options.ts';

const fileNotes = `
The file is CSV in UTF-8, JSON lines or a JSON array. The first line of CSV names the columns, in any order:
  item_type  product, modifier_group or modifier
  name_en    name in English, 1 to 255 characters
  name_ar    name in Arabic, 1 to 255 characters
  id         optional; an item without an id gets the next free one

All items are imported or, after any mistake, none; each mistake is reported with its line. An id of an existing item is
rejected without --update. A row without an id that repeats another row or an item is rejected without --allow-repeats.`;

const columns = Object.keys(itemFileColumns);

export function addItemCommands(admin: Admin): void {
  const command = admin.group('item', 'items of a company');

  withFileOptions(
    command(
      'import',
      'import the items of a file, all or nothing',
      'items.csv --company 3',
      '- --company 3 --update < items.csv',
    ),
  )
    .addHelpText('after', fileNotes)
    .option('--update', 'change the items whose id exists already')
    .option('--allow-repeats', 'accept rows without an id that repeat another row or an item')
    .action((file, { update = false, allowRepeats = false, ...options }) =>
      importRows(admin, file, options, itemFileColumns, async (db, records, mistakes, importOptions) => {
        const own = { mayUpdate: update, mayRepeat: allowRepeats };
        const counts = await importItems(db, records, mistakes, { ...importOptions, ...own });
        const { added, changed, unchanged } = counts;
        return { text: `${added} added, ${changed} changed, ${unchanged} unchanged.`, counts };
      }),
    );

  command('list', 'list the items of a company, by id', '--company 3 --type product')
    .requiredOption('--company <id>', 'the company', parseId)
    .addOption(new Option('--type <type>', 'only items of one type').choices(itemTypes))
    .option('--csv', 'print CSV, as item export does')
    .action(({ company, type = null, csv }, self) => {
      if (csv && admin.isJson) self.error("error: option '--csv' cannot be used with option '--json'");
      const read = (db: Database) => readItems(db, company, type);
      if (csv) return exportRows(admin, undefined, columns, read);
      return admin.list(read, 'The company has no such items.');
    });

  command('export', 'write the file that item import reads', '--company 3 > items.csv', 'items.csv --company 3')
    .argument('[file]', 'the file; standard output without it')
    .requiredOption('--company <id>', 'the company', parseId)
    .action((file, { company }) => exportRows(admin, file, columns, (db) => readItems(db, company, null)));
}

async function* readItems(db: Database, companyId: number, type: ItemTypeValue | null) {
  await ensureCompany(db, companyId);
  yield* listAllItems(db, companyId, type);
}
