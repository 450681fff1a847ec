import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Argument } from '@commander-js/extra-typings';
import { fileFormats } from '../../domain/file-formats.ts';
import { exportFile } from '../../domain/files/export-file.ts';
import { type FileFormat, hasCompany } from '../../domain/files/file-format.ts';
import { importFile } from '../../domain/files/import-file.ts';
import { ensureCompany } from '../../domain/partner/companies/companies.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Admin } from './commands.ts';
import { parseCount, parseId } from './options.ts';

const listArgument = () => new Argument('<list>', 'the table').choices(Object.keys(fileFormats));

const findFileFormat = (list: string, company: number | undefined): FileFormat => {
  const format = fileFormats[list] as FileFormat;
  if (company === undefined || hasCompany(format)) return format;
  throw new OperatorError(`--company does not apply to ${list}. Run the command without it.`);
};

export function addFileCommands(admin: Admin): void {
  admin.program
    .command('export')
    .description('print a table as CSV, which import reads')
    .addArgument(listArgument())
    .option('--company <id>', 'only the rows of a company, without the column company_id', parseId)
    .action((list, { company }) =>
      admin.withDatabase((db) =>
        db.transaction().execute(async (transaction) => {
          if (company !== undefined) await ensureCompany(transaction, company);
          const { stdout } = admin.host.streams;
          for await (const text of exportFile(transaction, findFileFormat(list, company), company))
            if (!stdout.write(text)) await once(stdout, 'drain');
        }),
      ),
    );

  admin.program
    .command('import')
    .description('update rows by id from a CSV file, and add new ones; all or nothing')
    .addArgument(listArgument())
    .argument('<file>', 'the file; - reads standard input')
    .option('--company <id>', 'the company of all rows, in place of the column company_id', parseId)
    .option('--delete-missing <max>', 'delete rows that the file lacks, up to this number', parseCount)
    .option('--dry-run', 'check the file and roll back')
    .action((list, path, options) =>
      admin.change(async (db) => {
        const format = findFileFormat(list, options.company);
        if (options.deleteMissing !== undefined && !format.isDeletable)
          throw new OperatorError(`--delete-missing does not apply to ${list}. Suspend or revoke them instead.`);
        if (options.company !== undefined) await ensureCompany(db, options.company);
        const { rows, ...counts } = await importFile(db, format, await openInput(path), options);
        const text = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
        const changed = Object.values(counts).some((count) => count > 0);
        return {
          text: `${rows} ${rows === 1 ? 'row' : 'rows'}: ${text.join(', ')}`,
          data: { rows, ...counts },
          changed,
        };
      }),
    );
}

/** Throws if a deadlock makes the import run again after it has read standard input. */
async function openInput(path: string): Promise<Readable> {
  if (path !== '-') {
    const file = await open(path);
    if ((await file.stat()).isDirectory()) throw new OperatorError(`${path} is a folder.`);
    return file.createReadStream();
  }
  if (process.stdin.readableDidRead)
    throw new OperatorError('The import conflicted with another change. No changes were made. Run the command again.');
  return process.stdin;
}
