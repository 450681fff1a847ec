import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { snakeCased } from '../../domain/files/columns.ts';
import { importFiles } from '../../domain/files/import-file.ts';
import type { InputFile } from '../../domain/files/stage-file.ts';
import { type Entry, retireEntry, setEntry } from '../../domain/reference/list-entries.ts';
import { fileOf, referenceListNames } from '../../domain/reference/lists.ts';
import { listCities } from '../../domain/reference/queries.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Admin } from './commands.ts';
import { exportFolder } from './exports.ts';
import { openInput, withMistakesFile } from './files.ts';
import { excelOption, mistakesOption, parseId, parsePath, previousOption, retireOption } from './options.ts';
import { countsOf } from './output.ts';
import { ensureNew, withPrevious } from './previous.ts';

const fileNotes = `
A list is a file named after its table, such as cuisine_types.csv or cuisine_types.ndjson, with the table's columns.
After any mistake, no list is imported; each mistake is reported with its file and line. Entries that a file lacks
stay. --retire 10 removes up to 10 of them in all, except those that another row references.`;

const listArgument = () => new Argument('<list>', 'the list').choices(referenceListNames);

const columns = new Set(referenceListNames.flatMap((list) => Object.keys(fileOf(list).columns)));
columns.delete('id');

export function addReferenceCommands(admin: Admin): void {
  const command = admin.group('reference', 'reference lists: countries, cities, time zones, services and lookups');

  command('export', 'write every reference list to a file of its own', 'lists', 'lists --json')
    .argument('<folder>', 'where the files go; it is created if missing', parsePath)
    .option(...excelOption)
    .action((folder, { excel }) =>
      exportFolder(admin, folder, referenceListNames.map(fileOf), { ownerOnly: false, excel }),
    );

  command('import', 'import reference lists, all or nothing', 'lists --dry-run', 'lists/cities.csv --retire 10')
    .addHelpText('after', fileNotes)
    .argument('<path>', 'a file, or a folder of files')
    .option(...retireOption('entries that a file lacks'))
    .option('--dry-run', 'only check the files; write nothing')
    .option(...previousOption('folder'))
    .option(...mistakesOption)
    .action((path, { mistakes, previous, ...options }) => {
      if (previous !== undefined) ensureNew(previous);
      const saving = { path: previous, isFolder: true, importOf: (folder: string) => `reference import ${folder}` };
      const onWait = (text: string) => admin.output.error(text);
      return admin.change(async (db) => {
        const paths = await listFiles(path);
        const files = await openLists(paths);
        const { counts, changed, kept, ids, undo, undoLines } = await withPrevious(admin, saving, (onPrevious) =>
          withMistakesFile(mistakes, paths, (onMistake) =>
            importFiles(db, files, { ...options, update: true, onMistake, onPrevious, onWait }),
          ),
        );
        const lists = Object.entries(counts).map(([list, { added, changed, retired = 0, unchanged }]) => {
          return [list, { added, changed, retired, unchanged }] as const;
        });
        const lines = lists.map(([list, each]) => `${list}: ${countsOf(each)}`);
        const data = { lists: Object.fromEntries(lists), kept, ...(undo.size > 0 && { undo: [...undo] }) };
        // Before the commit, so that an interruption in time still undoes it.
        admin.report({ text: [...lines, ...kept, ...undoLines].join('\n'), data });
        return { data, logged: { imported_ids: ids }, changed };
      });
    });

  const set = command(
    'set',
    'add an entry, or change the columns that options name',
    "cuisine_types --id 7001 --name-en Najdi --name-ar 'نجدي'",
  )
    .addArgument(listArgument())
    .requiredOption('--id <value>', 'the column id', parseId);
  for (const column of columns) set.option(`--${column.replaceAll('_', '-')} <value>`, `the column ${column}`);
  set.action((list, options) =>
    admin.change(async (db) => {
      const done = await setEntry(db, list, snakeCased(options) as Entry, (text) => admin.output.error(text));
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

async function openLists(paths: readonly string[]): Promise<InputFile[]> {
  const named = Map.groupBy(paths, (file) => basename(file, extname(file)));
  for (const [name, [file = '', other]] of named) {
    if (other === undefined && referenceListNames.some((list) => list === name)) continue;
    const names = referenceListNames.join(', ');
    throw new OperatorError(`${basename(other ?? file)} must be named after a list, one file each: ${names}.`);
  }
  const files = referenceListNames.map((list) => ({ kind: fileOf(list), paths: named.get(list) ?? [] }));
  const opened = files.flatMap(({ kind, paths }) =>
    paths.map(async (file) => ({ kind, name: basename(file), input: await openInput(file) })),
  );
  return Promise.all(opened);
}

async function listFiles(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const files = (await readdir(path)).filter((name) => /\.(csv|jsonl?|ndjson)$/i.test(name));
  if (files.length === 0) throw new OperatorError(`${path} contains no .csv or .ndjson file. Choose another folder.`);
  return files.map((name) => join(path, name));
}
