import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Argument, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { Fault, parseCell } from '../../domain/import/column.ts';
import { Mistakes } from '../../domain/import/mistakes.ts';
import { readRecords } from '../../domain/import/read-records.ts';
import {
  getEntry,
  type ImportedLists,
  importLists,
  type ListFile,
  listEntries,
  retireEntries,
} from '../../domain/reference/list-import.ts';
import { type ReferenceListName, referenceListNames, referenceLists } from '../../domain/reference/lists.ts';
import { StartError } from '../../kernel/errors/start-error.ts';
import type { Admin, Report } from './admin.ts';
import { linesOf, writeLines } from './export.ts';
import { readInput } from './input.ts';
import { parseId } from './options.ts';

const fileNotes = `
A list is a file named after its table, such as cuisine_types.csv or cuisine_types.json, with the columns of the table.
All lists are imported or, after any mistake, none; each mistake is reported with its file and line. Entries that a file lacks
stay, or go with --retire, unless another row references them.`;

const listArgument = () => new Argument('<list>', 'the list').choices(referenceListNames);

/** Columns that an entry of any list may have. */
const columnNames = [...new Set(Object.values(referenceLists).flatMap(({ columns }) => Object.keys(columns)))];

export function referenceCommands(admin: Admin): CommandUnknownOpts[] {
  return [
    admin
      .command('reference export', 'write every reference list to a file of its own', 'lists', 'lists --format json')
      .argument('<folder>', 'where the files go; it is created if missing')
      .addOption(
        new Option('--format <format>', 'file format').choices(['csv', 'json'] as const).default('csv' as const),
      )
      .action((folder, { format }) => exportLists(admin, folder, format)),
    admin
      .command(
        'reference import',
        'import reference lists, all or nothing',
        'lists --dry-run',
        'lists/cities.csv --retire',
      )
      .addHelpText('after', fileNotes)
      .argument('<path>', 'a file, or a folder of files')
      .option('--retire', 'remove the entries that a file lacks')
      .option('--dry-run', 'only check the files; write nothing')
      .action(async (path, { retire = false, dryRun = false }) => {
        const mistakes = new Mistakes();
        const files: ListFile[] = [];
        for (const file of await listFiles(path)) files.push(await readList(admin, file, mistakes));
        await admin.change(async (db) => {
          const imported = await importLists(db, files, mistakes, { retires: retire, isTrial: dryRun });
          return reportOf(imported, dryRun);
        });
      }),
    setCommand(admin),
    admin
      .command('reference retire', 'remove an entry that no other row references', 'cuisine_types 7001')
      .addArgument(listArgument())
      .argument('<id>', 'the entry', parseId)
      .action((list, id) =>
        admin.change(async (db) => {
          const [reason] = await retireEntries(db, list, [await getEntry(db, list, id)]);
          if (reason !== undefined) throw new StartError(`${reason}.`);
          return { text: `${list} ${id} is retired.`, data: { list, id } };
        }),
      ),
  ];
}

function setCommand(admin: Admin): CommandUnknownOpts {
  const command = admin
    .command(
      'reference set',
      'add an entry, or change the columns that options name',
      "cuisine_types --id 7001 --name-en Najdi --name-ar 'نجدي'",
    )
    .addArgument(listArgument());
  for (const column of columnNames) {
    const option = new Option(`--${column.replaceAll('_', '-')} <value>`, `the column ${column}`);
    command.addOption(column === 'id' ? option.makeOptionMandatory() : option);
  }
  return command.action((list, options, current) => {
    const { columns } = referenceLists[list];
    const given = Object.entries(options as Record<string, string>).map(
      ([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
    );
    const unknown = given.find(([name]) => columns[name] === undefined);
    if (unknown !== undefined) current.error(`error: ${list} has no column ${unknown[0]}`);
    return admin.change(async (db) => {
      const mistakes = new Mistakes();
      const cells = new Map<string, unknown>(given);
      const present = (await listEntries(db, list)).find((entry) => String(entry.id) === cells.get('id'));
      const record: Record<string, unknown> = { line: 0 };
      for (const [name, column] of Object.entries(columns)) {
        try {
          record[name] = parseCell(column, String(cells.get(name) ?? present?.[name] ?? ''));
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          mistakes.add({ column: name, message: error.message });
        }
      }
      mistakes.ensureNone('Nothing was changed.');
      const records = [record as ListFile['records'][number]];
      const { counts } = await importLists(db, [{ list, records }], mistakes, { retires: false, isTrial: false });
      const done = counts[list]?.added ? 'added' : counts[list]?.changed ? 'changed' : 'unchanged';
      return { text: `${list} ${record.id} is ${done}.`, data: { list, id: record.id, [done]: true } };
    });
  });
}

async function exportLists(admin: Admin, folder: string, format: 'csv' | 'json'): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new StartError(`The folder ${folder} cannot be created: ${error.message}`);
  });
  await admin.withDatabase(async (db) => {
    const counts: Record<string, number> = {};
    for (const list of referenceListNames) {
      const entries = await listEntries(db, list);
      const lines = linesOf([entries], Object.keys(referenceLists[list].columns), format === 'json');
      await writeLines(join(folder, `${list}.${format}`), lines);
      counts[list] = entries.length;
    }
    const text = Object.entries(counts).map(([list, count]) => `${list}: ${count}`);
    await admin.report({ text: text.join('\n'), data: { exported: counts } });
  });
}

async function listFiles(path: string): Promise<string[]> {
  const stats = await stat(path).catch((error: Error) => {
    throw new StartError(`${path} cannot be read: ${error.message}`);
  });
  if (!stats.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => /\.(csv|jsonl?|ndjson)$/.test(name)).toSorted();
  if (names.length === 0) throw new StartError(`${path} has no .csv or .json file.`);
  const repeated = names.find((name, index) => names.findIndex((each) => listOf(each) === listOf(name)) !== index);
  if (repeated !== undefined) throw new StartError(`${path} has two files of the list ${listOf(repeated)}.`);
  return names.map((name) => join(path, name));
}

const listOf = (path: string) => basename(path, extname(path));

async function readList(admin: Admin, path: string, mistakes: Mistakes): Promise<ListFile> {
  const list = referenceListNames.find((name) => name === listOf(path)) as ReferenceListName;
  if (list === undefined) {
    throw new StartError(`${basename(path)} is named after no list. The lists are ${referenceListNames.join(', ')}.`);
  }
  const file = basename(path);
  const records = readRecords(await readInput(path, admin), { columns: referenceLists[list].columns, mistakes, file });
  return { list, file, records };
}

function reportOf({ counts, kept }: ImportedLists, isTrial: boolean): Report {
  const lines = Object.entries(counts).map(
    ([list, { added, changed, retired, unchanged }]) =>
      `${list}: ${added} added, ${changed} changed, ${retired} retired, ${unchanged} unchanged`,
  );
  const text = [...(isTrial ? ['Nothing was written. It would be:'] : []), ...lines, ...kept].join('\n');
  return { text, data: { dry_run: isTrial, lists: counts, kept }, isTrial, isPreview: true };
}
