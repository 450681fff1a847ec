import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Argument, Option } from '@commander-js/extra-typings';
import { snakeCased } from '../../domain/import/columns.ts';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import { listCities } from '../../domain/reference/cities/city.queries.ts';
import {
  getEntry,
  importLists,
  type ListFile,
  listEntries,
  retireEntries,
  setEntry,
} from '../../domain/reference/list-import.ts';
import { columnsOf, type ReferenceListName, referenceListNames, referenceLists } from '../../domain/reference/lists.ts';
import type { Database } from '../../domain/tables.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin } from './admin.ts';
import { readInput, writeLines } from './files.ts';
import { parseDelimiter, parseId } from './options.ts';
import { csvOf, jsonOf } from './output.ts';

const fileNotes = `
A list is a file named after its table, such as cuisine_types.csv or cuisine_types.json, with the columns of the table.
All lists are imported or, after any mistake, none; each mistake is reported with its file and line. Entries that a file lacks
stay, or go with --retire, unless another row references them.`;

const listArgument = () => new Argument('<list>', 'the list').choices(referenceListNames);

/** Columns that an entry of any list may have, beside its id. */
const columnNames = [...new Set(referenceListNames.flatMap(columnsOf))].filter((column) => column !== 'id');

export function addReferenceCommands(admin: Admin): void {
  const command = admin.group('reference', 'reference lists: countries, cities, time zones, services and lookups');

  command('export', 'write every reference list to a file of its own', 'lists', 'lists --format json')
    .argument('<folder>', 'where the files go; it is created if missing')
    .addOption(new Option('--format <format>', 'file format').choices(['csv', 'json']).default('csv'))
    .action((folder, { format }) => exportLists(admin, folder, format));

  command('import', 'import reference lists, all or nothing', 'lists --dry-run', 'lists/cities.csv --retire')
    .addHelpText('after', fileNotes)
    .argument('<path>', 'a file, or a folder of files')
    .option('--retire', 'remove the entries that a file lacks')
    .option('--dry-run', 'only check the files; write nothing')
    .option('--delimiter <character>', 'column separator; use tab for tabs', parseDelimiter, ',')
    .action((path, options) => importFiles(admin, path, options));

  const set = command(
    'set',
    'add an entry, or change the columns that options name',
    "cuisine_types --id 7001 --name-en Najdi --name-ar 'نجدي'",
  )
    .addArgument(listArgument())
    .requiredOption('--id <value>', 'the column id', parseId);
  for (const column of columnNames) set.option(`--${column.replaceAll('_', '-')} <value>`, `the column ${column}`);
  set.action((list, options, self) => {
    const { id, ...given } = snakeCased(options) as { id: number; [column: string]: string | number };
    const unknown = Object.keys(given).find((column) => !columnsOf(list).includes(column));
    if (unknown !== undefined) self.error(`error: ${list} has no column ${unknown}`);
    return admin.change(async (db) => {
      const done = await setEntry(db, list, id, given, new Mistakes());
      return { text: `${list} ${id} is ${done}.`, data: { list, id, [done]: true } };
    }, entriesOf(list));
  });

  command('retire', 'remove an entry that no other row references', 'cuisine_types 7001')
    .addArgument(listArgument())
    .argument('<id>', 'the entry', parseId)
    .action((list, id) =>
      admin.change(async (db) => {
        const [reason] = (await retireEntries(db, list, [await getEntry(db, list, id)])).values();
        if (reason !== undefined) throw new StartError(`${reason}.`);
        return { text: `${list} ${id} is retired.`, data: { list, id } };
      }, entriesOf(list)),
    );

  admin
    .group('city', 'cities of addresses')('list', 'list the cities that an address can name', '--country SA')
    .option('--country <code>', 'two letters, such as SA', (text) => text.toUpperCase())
    .action(({ country }) => admin.list((db) => listCities(db, country), 'There are no such cities.'));
}

const entriesOf = (list: ReferenceListName) => (db: Database) => listEntries(db, list);

async function exportLists(admin: Admin, folder: string, format: 'csv' | 'json'): Promise<void> {
  await mkdir(folder, { recursive: true });
  await admin.withDatabase(async (db) => {
    const exported: Record<string, number> = {};
    for (const list of referenceListNames) {
      const entries = await listEntries(db, list);
      const lines = format === 'json' ? jsonOf([entries]) : csvOf([entries], columnsOf(list));
      await writeLines(join(folder, `${list}.${format}`), lines);
      exported[list] = entries.length;
    }
    const text = Object.entries(exported).map(([list, count]) => `${list}: ${count}`);
    await admin.report({ text: text.join('\n'), data: { exported } });
  });
}

const advice = 'Nothing was imported. Correct the files, then import them again.';

async function importFiles(
  admin: Admin,
  path: string,
  {
    retire: retires = false,
    dryRun: isTrial = false,
    delimiter,
  }: { retire?: boolean; dryRun?: boolean; delimiter: string },
): Promise<void> {
  const mistakes = new Mistakes();
  const files: ListFile[] = [];
  for (const file of await listFiles(path)) {
    const list = getList(file);
    const options = { columns: referenceLists[list].columns, mistakes, delimiter, file: basename(file) };
    const records = readRecords(await readInput(file, admin), options) as ListFile['records'];
    files.push({ list, file: options.file, records });
  }
  await admin.change(async (db) => {
    const { counts, kept } = await importLists(db, files, mistakes, { retires, isTrial, advice });
    const lines = Object.entries(counts).map(
      ([list, { added, changed, retired, unchanged }]) =>
        `${list}: ${added} added, ${changed} changed, ${retired} retired, ${unchanged} unchanged`,
    );
    const data = { dry_run: isTrial, lists: counts, kept };
    // The operator sees the counts before they are committed.
    await admin.report({
      text: [...(isTrial ? ['Nothing was written. It would be:'] : []), ...lines, ...kept].join('\n'),
      data,
    });
    const isUnchanged = Object.values(counts).every(({ added, changed, retired }) => added + changed + retired === 0);
    return { data, isTrial, isUnchanged };
  });
}

async function listFiles(path: string): Promise<string[]> {
  if (path === '-')
    throw new StartError('Standard input has no name that says which list it is. Import a file or a folder.');
  if (!(await stat(path)).isDirectory()) return [path];
  const files = (await readdir(path)).filter((name) => /\.(csv|jsonl?|ndjson)$/i.test(name)).toSorted();
  if (files.length === 0) throw new StartError(`${path} contains no .csv or .json file. Choose another folder.`);
  const lists = files.map(listOf);
  const repeated = lists.find((list, index) => lists.indexOf(list) !== index);
  if (repeated !== undefined) throw new StartError(`${path} contains two files for the list ${repeated}. Remove one.`);
  return files.map((name) => join(path, name));
}

const listOf = (path: string) => basename(path, extname(path));

function getList(path: string): ReferenceListName {
  const list = referenceListNames.find((name) => name === listOf(path));
  if (list !== undefined) return list;
  throw new StartError(
    `${basename(path)} is not named after a list. Rename it after one of: ${referenceListNames.join(', ')}.`,
  );
}
