import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type ExportedRows, exportFile } from '../../domain/files/export-file.ts';
import { type FileKind, isOfCompany } from '../../domain/files/file-kind.ts';
import { importFile } from '../../domain/files/import-file.ts';
import { branchFile } from '../../domain/partner/companies/branch.file.ts';
import { companyFile } from '../../domain/partner/companies/company.file.ts';
import { ensureCompany } from '../../domain/partner/companies/company.queries.ts';
import { itemFile } from '../../domain/partner/items/item.file.ts';
import { partnerFile } from '../../domain/partner/partners/partner.file.ts';
import { productTagFile } from '../../domain/partner/product-tags/product-tag.file.ts';
import { tokenFile } from '../../domain/partner/tokens/token.file.ts';
import type { Database } from '../../domain/tables.ts';
import type { Admin } from './commands.ts';
import { openInput, writeParts } from './files.ts';
import { companyOption, parseId } from './options.ts';
import { countsOf, csvRow } from './output.ts';

const names = `
  name_en  name in English, 1 to 255 characters
  name_ar  name in Arabic, 1 to 255 characters`;
const address = `
  address_line  optional; street and building
  city_id       city of the address, as city list shows it`;
const keptId = `
  id       kept; a whole number from 1 to 2000000000`;
const suspension = `
  suspended_at  optional; if set, its tokens are rejected`;
const ownId = `
  id       optional; a row without an id gets the next free one`;
const ofCompany = `
  company_id  left out with --company`;

/** The kinds of files by the noun of their commands, in the order of import. */
const tenantFiles = {
  company: { kind: companyFile, file: 'companies', notes: `${keptId}${names}${address}${suspension}` },
  branch: {
    kind: branchFile,
    file: 'branches',
    notes: `${keptId}${ofCompany}${names}${address}
  service_ids  optional; ids between semicolons, or a list in JSON`,
  },
  partner: {
    kind: partnerFile,
    file: 'partners',
    notes: `${keptId}
  name     unique
  default_company_id  the company it acts for${suspension}`,
  },
  token: {
    kind: tokenFile,
    file: 'tokens',
    notes: `${ownId}
  partner_id    the partner that the token acts for
  token         the token, 16 to 512 characters as RFC 6750 allows; only its hash is stored
  token_sha256  in place of the token, its SHA-256 hash in hexadecimal digits
  label         optional; what the token is for
  expires_at    optional, as are created_at, revoked_at and last_used_at; such as 2027-01-31T12:00:00Z`,
  },
  item: {
    kind: itemFile,
    file: 'items',
    notes: `${ownId}${ofCompany}
  item_type  product, modifier_group or modifier${names}

A row without an id that is the same as an existing item is rejected.`,
  },
  tag: {
    kind: productTagFile,
    file: 'tags',
    notes: `${keptId}${ofCompany}
  name_en  name in English, 3 to 50 characters
  name_ar  optional name in Arabic, 3 to 50 characters
  item_ids  optional products of the company: ids between semicolons, or a list in JSON
  version  optional; the version of a new tag, a UUID`,
  },
} satisfies Record<string, { kind: FileKind; file: string; notes: string }>;

type Noun = keyof typeof tenantFiles;
type AddCommand = ReturnType<Admin['group']>;

interface Options {
  company?: number;
  update?: boolean;
  retire?: boolean;
  dryRun?: boolean;
}

/** Adds the command that imports files of one kind. */
export function addImport(admin: Admin, command: AddCommand, noun: Noun): void {
  const { kind, file, notes } = tenantFiles[noun];
  const added = command(
    'import',
    `import ${file}, all or nothing; each mistake is reported with its line`,
    `${file}.csv`,
    `- --dry-run < ${file}.csv`,
  )
    .addHelpText('after', `\nThe file is CSV in UTF-8 or JSON lines. Its columns, in any order:${notes}`)
    .argument('<file>', 'the file; - reads standard input')
    .option('--update', 'change the rows whose id exists; optional columns that the file lacks stay')
    .option('--dry-run', 'only check the file; write nothing');
  if (noun === 'item' || noun === 'tag') added.option('--retire', `remove the ${file} that the file lacks`);
  if (isOfCompany(kind)) added.option('--company <id>', 'the company of all rows, in place of company_id', parseId);
  added.action((path, options: Options) =>
    admin.change(async (db) => {
      const onProgress = (state: string) => admin.output.progress(state);
      if (options.company !== undefined) await ensureCompany(db, options.company);
      const counts = await importFile(db, kind, await openInput(path), { ...options, onProgress });
      const { added, changed, retired = 0 } = counts;
      return { text: countsOf(counts), data: { ...counts }, changed: added + changed + retired > 0 };
    }),
  );
}

/** The commands for items and tags, and the export of all tenants. */
export function addTenantFileCommands(admin: Admin): void {
  for (const noun of ['item', 'tag'] as const) addRowCommands(admin, noun);
  addExport(admin);
}

function addRowCommands(admin: Admin, noun: 'item' | 'tag'): void {
  const { kind, file } = tenantFiles[noun];
  const command = admin.group(noun, `${file} of companies`);
  command('list', `list the ${file} of a company, by id`, '--company 3')
    .requiredOption(...companyOption)
    .action(({ company }) =>
      admin.list((db) =>
        read(db, async (transaction) => {
          await ensureCompany(transaction, company);
          const batches = await Array.fromAsync(exportFile(transaction, kind, company).batches);
          return batches.flat().map((row) => JSON.parse(row));
        }),
      ),
    );

  command('export', `write the file that ${noun} import reads`, `--company 3 > ${file}.csv`, `${file}.csv`)
    .argument('[file]', 'the file; standard output without it')
    .option(...companyOption)
    .action((path = '/dev/stdout', { company }) =>
      admin.withDatabase((db) =>
        read(db, async (transaction) => {
          if (company !== undefined) await ensureCompany(transaction, company);
          const text = textOf(admin, exportFile(transaction, kind, company));
          if (path !== '/dev/stdout') return (await writeParts(path, text)).complete();
          for await (const part of text) admin.output.write(part);
        }),
      ),
    );

  addImport(admin, command, noun);
}

function addExport(admin: Admin): void {
  admin
    .command('export', 'write all companies, branches, partners, tokens, items and tags to files to import', 'backup')
    .argument('<folder>', 'where the files go; it is created if missing')
    .addHelpText('after', '\nTokens are exported as hashes. Only you can read the files.')
    .action(async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const exported: Record<string, number> = {};
      const files: { complete(): void }[] = [];
      await admin.withDatabase((db) =>
        read(db, async (transaction) => {
          for (const { kind, file } of Object.values(tenantFiles)) {
            const path = join(folder, `${file}.${admin.isJson ? 'ndjson' : 'csv'}`);
            const count = (rows: number) => {
              exported[file] = rows;
              admin.output.progress(`${file}: ${rows} rows`);
            };
            files.push(await writeParts(path, textOf(admin, exportFile(transaction, kind), count), 0o600));
          }
        }),
      );
      // Replace the files together, so that all are from the same moment.
      for (const { complete } of files) complete();
      admin.report({ text: countsOf(exported), data: { exported } });
    });
}

// Reads all tables at the same moment, with times in UTC.
function read<Result>(db: Database, work: (transaction: Database) => Promise<Result>): Promise<Result> {
  const transaction = db.transaction().setIsolationLevel('repeatable read');
  return transaction.execute(async (own) => {
    await sql`set local timezone to 'UTC'`.execute(own);
    return work(own);
  });
}

async function* textOf(
  admin: Admin,
  { columns, batches }: ExportedRows,
  onProgress: (rows: number) => void = () => {},
): AsyncGenerator<string> {
  let rows = 0;
  onProgress(rows);
  if (!admin.isJson) yield `${columns.join(',')}\n`;
  for await (const batch of batches) {
    const lines = admin.isJson ? batch : batch.map((row) => csvRow(Object.values(JSON.parse(row))));
    yield `${lines.join('\n')}\n`;
    rows += batch.length;
    onProgress(rows);
  }
}
