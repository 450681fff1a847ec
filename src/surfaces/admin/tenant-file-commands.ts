import { sql } from 'kysely';
import { exportFile } from '../../domain/files/export-file.ts';
import { type FileKind, isOfCompany } from '../../domain/files/file-kind.ts';
import { importFiles } from '../../domain/files/import-file.ts';
import { retireRows } from '../../domain/files/retire-rows.ts';
import type { ImportOptions } from '../../domain/files/stage-file.ts';
import { ensureCompany } from '../../domain/partner/companies/companies.ts';
import { items } from '../../domain/partner/items/items.ts';
import { productTags } from '../../domain/partner/product-tags/product-tags.ts';
import { companyLists, tenantFiles } from '../../domain/partner/tenant-files.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Admin } from './commands.ts';
import { exportFolder, readTogether, renderFile } from './exports.ts';
import { openInput, withMistakesFile, writeParts } from './files.ts';
import {
  companyOption,
  excelOption,
  mistakesOption,
  parseId,
  parsePath,
  previousOption,
  retireOption,
} from './options.ts';
import { countsOf } from './output.ts';
import { ensureNew, withPrevious } from './previous.ts';

interface Paths {
  mistakes?: string;
  previous?: string;
}

type AddCommand = ReturnType<Admin['group']>;

export function addImport(admin: Admin, command: AddCommand, kind: FileKind): void {
  const { file } = kind;
  const added = command(
    'import',
    `import ${file}, all or nothing; each mistake is reported with its line`,
    `${file}.csv`,
    `- --dry-run < ${file}.csv`,
  )
    .addHelpText('after', helpOf(kind))
    .argument('<file>', 'the file; - reads standard input')
    .option('--update', 'change the rows whose id exists; optional columns that the file lacks stay')
    .option('--dry-run', 'only check the file; write nothing')
    .option(...mistakesOption);
  if (!kind.isSecret) added.option(...previousOption('file'));
  if (companyLists.some((list) => list.file === kind))
    added.option(...retireOption(`${file} that the file lacks, of companies that it names`));
  if (isOfCompany(kind)) added.option('--company <id>', 'the company of all rows, in place of company_id', parseId);
  added.action(async (path, { mistakes, previous, ...given }: ImportOptions & Paths, self) => {
    if (previous !== undefined && !given.update && given.retire === undefined)
      self.error('error: --previous needs --update or --retire');
    if (previous !== undefined) ensureNew(previous);
    const options: ImportOptions = {
      ...given,
      linking: kind === items.file ? [productTags.file] : [],
      onProgress: (state) => admin.output.progress(state),
      onWait: (text) => admin.output.error(text),
    };
    await admin.change(async (db) => {
      if (options.company !== undefined) await ensureCompany(db, options.company);
      const input = await openInput(path);
      const importOf = (file: string, { one }: FileKind) => `${one.replace(/^an? /, '')} import ${file} --update`;
      const { counts, changed, kept, ids, undo, undoLines } = await withPrevious(
        admin,
        { path: previous, importOf },
        (onPrevious) =>
          withMistakesFile(mistakes, [path], (onMistake) =>
            importFiles(db, [{ kind, input }], { ...options, onMistake, onPrevious }),
          ),
      );
      const text = [countsOf(counts[file] ?? {}), ...kept, ...undoLines].join('\n');
      const data = { ...counts[file], ...(kept.length > 0 && { kept }), ...(undo.size > 0 && { undo: [...undo] }) };
      return { text, data, logged: { imported_ids: ids[file] }, changed };
    });
  });
}

function helpOf({ columns }: FileKind): string {
  const width = Math.max(...Object.keys(columns).map(({ length }) => length));
  const lines = Object.entries(columns).map(([name, column]) => `  ${name.padEnd(width)}  ${column.description}`);
  return `\nThe file is CSV in UTF-8 or JSON lines. Its columns, in any order:\n${lines.join('\n')}`;
}

/** The commands for items and tags, and the export of all tenants. */
export function addTenantFileCommands(admin: Admin): void {
  for (const { one, file } of companyLists) addRowCommands(admin, one, file);
  admin
    .command('export', 'write all companies, branches, partners, tokens, items and tags to files to import', 'backup')
    .argument('<folder>', 'where the files go; it is created if missing', parsePath)
    .option(...excelOption)
    .addHelpText('after', '\nTokens are exported as hashes. Only you can read the files.')
    .action((folder, { excel }) => exportFolder(admin, folder, tenantFiles, { ownerOnly: true, excel }));
}

function addRowCommands(admin: Admin, noun: string, kind: FileKind): void {
  const { file } = kind;
  const command = admin.group(noun, `${file} of companies`);
  command('list', `list the ${file} of a company, by id`, '--company 3')
    .requiredOption(...companyOption)
    .action(({ company }) =>
      admin.list((db) =>
        readTogether(db, async (transaction) => {
          await ensureCompany(transaction, company);
          const batches = await Array.fromAsync(exportFile(transaction, kind, { company }).batches);
          return batches.flat().map((row) => JSON.parse(row));
        }),
      ),
    );

  command('export', `write the file that ${noun} import reads`, `--company 3 > ${file}.csv`, `${file}.csv`)
    .argument('[file]', 'the file; standard output without it, or as -')
    .option(...companyOption)
    .option(...excelOption)
    .action((path = '-', { company, excel }) =>
      admin.withDatabase((db) =>
        readTogether(db, async (transaction) => {
          if (company !== undefined) await ensureCompany(transaction, company);
          const text = renderFile(admin, exportFile(transaction, kind, { company }), { excel });
          if (!['-', '/dev/stdout'].includes(path)) return (await writeParts(path, text)).complete();
          for await (const part of text) admin.output.write(part);
        }),
      ),
    );

  addImport(admin, command, kind);

  command('remove', `remove ${kind.one} for good`, '7 --company 3')
    .argument('<id>', `the ${noun}`, parseId)
    .requiredOption(...companyOption)
    .action((id, { company }) =>
      admin.change(async (db) => {
        await ensureCompany(db, company);
        const row = sql`present.company_id = ${company} and present.id = ${id}`;
        const { retired, staying } = await retireRows(db, kind, row);
        if (staying.size > 0) throw new OperatorError(`${staying.get(id)}.`);
        if (retired.length === 0)
          throw new OperatorError(`Company ${company} has no ${noun} ${id}. Run ${noun} list to see its ${file}.`);
        return { text: `${capitalized(noun)} ${id} is removed.`, data: { id } };
      }),
    );
}

const capitalized = (word: string) => word.replace(/^./, (letter) => letter.toUpperCase());
