import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { type ItemRow, listAllItems } from '../../../domain/partner/items/item.queries.ts';
import { itemTypes } from '../../../domain/partner/items/item.table.ts';
import type { Admin } from '../admin.ts';
import { ensureCompany } from '../ensure.ts';
import { examples } from '../examples.ts';
import { parseId } from '../options.ts';
import { type Column, printRows } from '../rows.ts';

const columns: Column<ItemRow>[] = [
  { name: 'id', value: (item) => item.id },
  { name: 'item_type', value: (item) => item.itemType },
  { name: 'name_en', value: (item) => item.nameEn },
  { name: 'name_ar', value: (item) => item.nameAr },
];

/** `item list`: the items of a company. */
export function listItems({ terminal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('list')
    .description('list the items of a company, by id')
    .requiredOption('--company <id>', 'the company', parseId)
    .addOption(new Option('--type <type>', 'only those of one type').choices(itemTypes))
    .addOption(new Option('--csv', 'print the file that item import reads').conflicts('json'))
    .option('--json', 'print JSON')
    .addHelpText('after', examples('--company 3 --type product', '--company 3 --csv > items.csv'))
    .action(({ company, type, csv, json }) =>
      withDatabase(async (db) => {
        await ensureCompany(db, company);
        const pages = listAllItems(db, company, type ?? null);
        await printRows(terminal, columns, pages, { csv, json, none: 'The company has no such items.' });
      }),
    );
}
