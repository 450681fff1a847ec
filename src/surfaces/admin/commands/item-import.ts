import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { importItems as importFile } from '../../../domain/partner/items/import/item-import.service.ts';
import { StartError } from '../../../kernel/errors/start-error.ts';
import type { Admin } from '../admin.ts';
import { ensureCompany } from '../ensure.ts';
import { examples } from '../examples.ts';
import { openInput } from '../input.ts';
import { parseDelimiter, parseId } from '../options.ts';

const notes = `
The file is CSV in UTF-8. Its first line names the columns, in any order:
  item_type  product, modifier_group or modifier
  name_en    name in English, 1 to 255 characters
  name_ar    name in Arabic, 1 to 255 characters
  id         may be left out, as may its cells: such an item gets the next free id

All items are imported or, if anything is wrong with any, none; each mistake is told with its line. An id that an item of
the company has is refused, unless --update says that such items are changed. A row without an id is refused when it
repeats another one, or an item; --allow-repeats takes it.`;

/** `item import`: the items of a CSV file. */
export function importItems({ terminal, signal, withDatabase }: Admin): CommandUnknownOpts {
  return new Command('import')
    .description('import the items of a CSV file, all or nothing')
    .addArgument(new Argument('<file>', 'the file; - reads standard input'))
    .requiredOption('--company <id>', 'the company they are of', parseId)
    .option('--update', 'change the items whose id is there already')
    .option('--allow-repeats', 'also take rows without an id that repeat another, or an item')
    .option('--dry-run', 'only check the file: nothing is written')
    .option('--delimiter <character>', 'what stands between cells; tab is one', parseDelimiter, ',')
    .addHelpText('after', notes)
    .addHelpText('after', examples('items.csv --company 3', '- --company 3 --update < items.csv'))
    .action(async (file, { company, update = false, allowRepeats = false, dryRun = false, delimiter }) => {
      await using input = await openInput(file, terminal);
      const result = await withDatabase(async (db) => {
        await ensureCompany(db, company);
        return importFile(db, input.stream, {
          companyId: company,
          delimiter,
          mayUpdate: update,
          mayRepeat: allowRepeats,
          isTrial: dryRun,
          signal,
          onProgress: ({ step, rows, of }) => {
            const share = of === undefined ? input.share() : ` of ${of.toLocaleString('en')}`;
            terminal.progress(`${step}: ${rows.toLocaleString('en')} rows${share}`);
          },
        });
      });
      if ('mistakes' in result) {
        throw new StartError(`${result.mistakes}\nNothing was imported: mend the file, then import it again.`);
      }
      const { added, changed, unchanged } = result.imported;
      const heading = dryRun ? 'Nothing was written. It would be:' : 'Imported:';
      await terminal.print(`${heading} ${added} added, ${changed} changed, ${unchanged} unchanged.`);
    });
}
