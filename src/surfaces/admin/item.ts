import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import { listAllItems } from '../../domain/partner/items/item.queries.ts';
import { type ItemTypeValue, itemTypes } from '../../domain/partner/items/item.table.ts';
import { importItems, itemFileColumns } from '../../domain/partner/items/item-import.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './admin.ts';
import { exportRows } from './export.ts';
import { readInput } from './input.ts';
import { ensureCompany, parseDelimiter, parseId } from './options.ts';

const fileNotes = `
The file is CSV in UTF-8, JSON lines or a JSON array. The first line of CSV names the columns, in any order:
  item_type  product, modifier_group or modifier
  name_en    name in English, 1 to 255 characters
  name_ar    name in Arabic, 1 to 255 characters
  id         optional; an item without an id gets the next free one

All items are imported or, after any mistake, none; each mistake is reported with its line. An id of an existing item is
rejected without --update. A row without an id that repeats another row or an item is rejected without --allow-repeats.`;

export function itemCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command(
        'item import',
        'import the items of a file, all or nothing',
        'items.csv --company 3',
        '- --company 3 --update < items.csv',
      )
      .addHelpText('before', '')
      .addHelpText('after', fileNotes)
      .argument('<file>', 'the file; - reads standard input')
      .requiredOption('--company <id>', 'the company', parseId)
      .option('--update', 'change the items whose id exists already')
      .option('--allow-repeats', 'accept rows without an id that repeat another row or an item')
      .option('--dry-run', 'only check the file; write nothing')
      .option('--delimiter <character>', 'column separator; use tab for tabs', parseDelimiter, ',')
      .action(async (file, { company, update = false, allowRepeats = false, dryRun = false, delimiter }) => {
        const content = await readInput(file, admin);
        await admin.change(async (db) => {
          await ensureCompany(db, company);
          const mistakes = new Mistakes();
          const records = readRecords(content, { columns: itemFileColumns, mistakes, delimiter });
          const counts = await importItems(db, records, mistakes, {
            companyId: company,
            mayUpdate: update,
            mayRepeat: allowRepeats,
            isTrial: dryRun,
            signal: admin.signal,
            onProgress: (written) => admin.output.progress(`${written} of ${records.length} items written`),
          });
          const heading = dryRun ? 'Nothing was written. It would be:' : 'Imported:';
          const { added, changed, unchanged } = counts;
          const text = `${heading} ${added} added, ${changed} changed, ${unchanged} unchanged.`;
          return { text, data: { ...counts, dry_run: dryRun }, isTrial: dryRun };
        });
      }),
    admin
      .command('item list', 'list the items of a company, by id', '--company 3 --type product')
      .requiredOption('--company <id>', 'the company', parseId)
      .addOption(new Option('--type <type>', 'only items of one type').choices(itemTypes))
      .option('--csv', 'print CSV, as item export does')
      .action(({ company, type = null, csv }, command) => {
        if (csv && admin.isJson) command.error("error: option '--csv' cannot be used with option '--json'");
        if (csv) return exportRows(admin, undefined, Object.keys(itemFileColumns), (db) => items(db, company, type));
        return admin.list((db) => items(db, company, type), 'The company has no such items.');
      }),
    admin
      .command(
        'item export',
        'write the file that item import reads',
        '--company 3 > items.csv',
        'items.csv --company 3',
      )
      .argument('[file]', 'the file; standard output without it')
      .requiredOption('--company <id>', 'the company', parseId)
      .action((file, { company }) =>
        exportRows(admin, file, Object.keys(itemFileColumns), (db) => items(db, company, null)),
      ),
  ];
}

async function* items(db: Database, company: number, type: ItemTypeValue | null) {
  await ensureCompany(db, company);
  for await (const page of listAllItems(db, company, type)) {
    yield page.map((item) => ({ id: item.id, item_type: item.itemType, name_en: item.nameEn, name_ar: item.nameAr }));
  }
}
