import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { snakeCased } from '../../domain/files/columns.ts';
import { listCities } from '../../domain/reference/cities/city.queries.ts';
import {
  type Entry,
  importLists,
  type ListFile,
  listEntries,
  retireEntry,
  setEntry,
} from '../../domain/reference/list-import.ts';
import { columnsOf, referenceListNames } from '../../domain/reference/lists.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './commands.ts';
import { openInput, writeWhole } from './files.ts';
import { parseId } from './options.ts';
import { countsOf, csvRow, jsonLinesOf } from './output.ts';

const fileNotes = `
A list is a file named after its table, such as cuisine_types.csv or cuisine_types.ndjson, with the table's columns.
After any mistake, no list is imported; each mistake is reported with its file and line. Entries that a file lacks
stay. --retire removes them unless another row references them.`;

const listArgument = () => new Argument('<list>', 'the list').choices(referenceListNames);

/** The columns of all lists except the id. */
const columnNames = [...new Set(referenceListNames.flatMap(columnsOf))].filter((column) => column !== 'id');

export function addReferenceCommands(admin: Admin): void {
  const command = admin.group('reference', 'reference lists: countries, cities, time zones, services and lookups');

  command('export', 'write every reference list to a file of its own', 'lists', 'lists --json')
    .argument('<folder>', 'where the files go; it is created if missing')
    .action((folder) => exportLists(admin, folder));

  command('import', 'import reference lists, all or nothing', 'lists --dry-run', 'lists/cities.csv --retire')
    .addHelpText('after', fileNotes)
    .argument('<path>', 'a file, or a folder of files')
    .option('--retire', 'remove the entries that a file lacks')
    .option('--dry-run', 'only check the files; write nothing')
    .action((path, options) => importFiles(admin, path, options));

  const set = command(
    'set',
    'add an entry, or change the columns that options name',
    "cuisine_types --id 7001 --name-en Najdi --name-ar 'نجدي'",
  )
    .addArgument(listArgument())
    .requiredOption('--id <value>', 'the column id', parseId);
  for (const column of columnNames) set.option(`--${column.replaceAll('_', '-')} <value>`, `the column ${column}`);
  set.action((list, options) =>
    admin.change(async (db) => {
      const done = await setEntry(db, list, snakeCased(options) as Entry);
      const data = { list, id: options.id, [done]: true };
      return { text: `${list} ${options.id} is ${done}.`, data, changed: done !== 'unchanged' };
    }),
  );

  command('retire', 'remove an entry that no other row references', 'cuisine_types 7001')
    .addArgument(listArgument())
    .argument('<id>', 'the entry', parseId)
    .action((list, id) =>
      admin.change(async (db) => {
        await retireEntry(db, list, id);
        return { text: `${list} ${id} is retired.`, data: { list, id } };
      }),
    );

  admin
    .group('city', 'cities of addresses')(
      'list',
      'list the cities that an address can name',
      '--country SA --search riyadh',
    )
    .option('--country <code>', 'two letters, such as SA', (text) => text.toUpperCase())
    .option('--search <text>', 'part of a name or of the code')
    .action((filter) => admin.list((db) => listCities(db, filter)));
}

async function exportLists(admin: Admin, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await admin.withDatabase(async (db) => {
    const exported: Record<string, number> = {};
    for (const list of referenceListNames) {
      const entries = await listEntries(db, list);
      const csv = () => [columnsOf(list), ...entries.map(Object.values)].map((row) => `${csvRow(row)}\n`).join('');
      if (admin.isJson) writeWhole(join(folder, `${list}.ndjson`), jsonLinesOf(entries));
      else writeWhole(join(folder, `${list}.csv`), csv());
      exported[list] = entries.length;
    }
    admin.report({ text: countsOf(exported), data: { exported } });
  });
}

async function importFiles(
  admin: Admin,
  path: string,
  options: { retire?: boolean | undefined; dryRun?: boolean | undefined },
): Promise<void> {
  const files: ListFile[] = [];
  for (const name of await listFiles(path)) {
    const file = basename(name);
    const list = referenceListNames.find((each) => each === basename(name, extname(name)));
    if (list === undefined || files.some((other) => other.list === list))
      throw new StartError(`${file} must be named after a list, one file each: ${referenceListNames.join(', ')}.`);
    files.push({ list, file, input: await openInput(name) });
  }
  await admin.change(async (db) => {
    const { counts, kept } = await importLists(db, files, options);
    const lines = Object.entries(counts).map(([list, each]) => `${list}: ${countsOf(each)}`);
    const data = { lists: counts, kept };
    // Report the counts before the commit.
    admin.report({ text: [...lines, ...kept].join('\n'), data });
    const changed = Object.values(counts).some((each) => each.added + each.changed + each.retired > 0);
    return { data, changed };
  });
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const files = (await readdir(path)).filter((name) => /\.(csv|jsonl?|ndjson)$/i.test(name));
  if (files.length === 0) throw new StartError(`${path} contains no .csv or .ndjson file. Choose another folder.`);
  return files.map((name) => join(path, name));
}
