import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import { importTags, listAllTags, tagFileColumns } from '../../domain/partner/product-tags/tag-import.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './admin.ts';
import { exportRows, importRows, withFileOptions } from './files.ts';
import { parseId } from './options.ts';

const fileNotes = `
The file is CSV in UTF-8, JSON lines or a JSON array, with these columns:
  id        kept, so that partners can go on using the ids that they have stored
  name_en   name in English, 3 to 50 characters
  name_ar   optional name in Arabic, 3 to 50 characters
  item_ids  optional products of the company: ids between semicolons, or a list in JSON

All tags are imported or, after any mistake, none; each mistake is reported with its line.`;

const columns = Object.keys(tagFileColumns);

export function addTagCommands(admin: Admin): void {
  const command = admin.group('tag', 'product tags of a company');

  withFileOptions(command('import', 'import product tags with their ids, all or nothing', 'tags.csv --company 3'))
    .addHelpText('after', fileNotes)
    .action((file, options) =>
      importRows(admin, file, options, tagFileColumns, async (db, records, mistakes, importOptions) => {
        const counts = await importTags(db, records, mistakes, importOptions);
        return { text: `${counts.added} tags with ${counts.links} links.`, counts };
      }),
    );

  command('list', 'list the tags of a company with their items', '--company 3', '--company 3 --json')
    .requiredOption('--company <id>', 'the company', parseId)
    .action(({ company }) => admin.list((db) => readTags(db, company), 'The company has no tags.'));

  command('export', 'write the file that tag import reads', '--company 3 > tags.csv', 'tags.csv --company 3')
    .argument('[file]', 'the file; standard output without it')
    .requiredOption('--company <id>', 'the company', parseId)
    .action((file, { company }) => exportRows(admin, file, columns, (db) => readTags(db, company)));
}

async function* readTags(db: Database, companyId: number) {
  await ensureCompany(db, companyId);
  yield* listAllTags(db, companyId);
}
