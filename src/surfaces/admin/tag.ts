import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import { importTags, listAllTags, tagFileColumns } from '../../domain/partner/product-tags/tag-import.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './admin.ts';
import { exportRows } from './export.ts';
import { readInput } from './input.ts';
import { ensureCompany, parseDelimiter, parseId } from './options.ts';

const fileNotes = `
The file is CSV in UTF-8, JSON lines or a JSON array, with these columns:
  id        kept, so that partners can go on using the ids that they have stored
  name_en   name in English, 3 to 50 characters
  name_ar   optional name in Arabic, 3 to 50 characters
  item_ids  optional products of the company: ids between semicolons, or a list in JSON

All tags are imported or, after any mistake, none; each mistake is reported with its line.`;

export function tagCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command('tag import', 'import product tags with their ids, all or nothing', 'tags.csv --company 3')
      .addHelpText('after', fileNotes)
      .argument('<file>', 'the file; - reads standard input')
      .requiredOption('--company <id>', 'the company', parseId)
      .option('--dry-run', 'only check the file; write nothing')
      .option('--delimiter <character>', 'column separator; use tab for tabs', parseDelimiter, ',')
      .action(async (file, { company, dryRun = false, delimiter }) => {
        const content = await readInput(file, admin);
        await admin.change(async (db) => {
          await ensureCompany(db, company);
          const mistakes = new Mistakes();
          const records = readRecords(content, { columns: tagFileColumns, mistakes, delimiter });
          const counts = await importTags(db, records, mistakes, {
            companyId: company,
            isTrial: dryRun,
            signal: admin.signal,
            onProgress: (links) => admin.output.progress(`${links} links written`),
          });
          const heading = dryRun ? 'Nothing was written. It would be:' : 'Imported:';
          const text = `${heading} ${counts.added} tags with ${counts.links} links.`;
          return { text, data: { ...counts, dry_run: dryRun }, isTrial: dryRun };
        });
      }),
    admin
      .command('tag list', 'list the tags of a company with their items', '--company 3', '--company 3 --json')
      .requiredOption('--company <id>', 'the company', parseId)
      .action(({ company }) => admin.list((db) => tags(db, company), 'The company has no tags.')),
    admin
      .command('tag export', 'write the file that tag import reads', '--company 3 > tags.csv', 'tags.csv --company 3')
      .argument('[file]', 'the file; standard output without it')
      .requiredOption('--company <id>', 'the company', parseId)
      .action((file, { company }) => exportRows(admin, file, Object.keys(tagFileColumns), (db) => tags(db, company))),
  ];
}

async function* tags(db: Database, company: number) {
  await ensureCompany(db, company);
  for await (const page of listAllTags(db, company)) {
    yield page.map((tag) => ({ id: tag.id, name_en: tag.nameEn, name_ar: tag.nameAr, item_ids: tag.itemIds }));
  }
}
