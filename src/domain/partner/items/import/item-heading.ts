const columns = ['id', 'item_type', 'name_en', 'name_ar'] as const;
const optional = new Set<string>(['id']);

export type ItemColumn = (typeof columns)[number];

/** Where each column of a file is: the index of its cells. */
export type ItemHeading = { cells: number } & Record<Exclude<ItemColumn, 'id'>, number> & { id: number | undefined };

/** Reads the names of the columns, in any order; returns what is wrong with them instead. */
export function readHeading(cells: string[]): ItemHeading | string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const separated = hintAtDelimiter(cells);
  if (separated !== undefined) return [separated];
  const mistakes = [
    ...columns
      .filter((name) => !optional.has(name) && !names.includes(name))
      .map((name) => `the column ${name} is missing`),
    ...names
      .filter((name) => !columns.some((column) => column === name))
      .map((name) => `there is no column "${printable(name)}": there are ${columns.join(', ')}`),
    ...columns
      .filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
      .map((name) => `${name} is there twice`),
  ];
  if (mistakes.length > 0) return mistakes;
  const [id, item_type, name_en, name_ar] = columns.map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
    number,
  ];
  return { cells: cells.length, id: id < 0 ? undefined : id, item_type, name_en, name_ar };
}

function hintAtDelimiter(cells: string[]): string | undefined {
  const other = cells.length === 1 ? /[;\t|]/.exec(cells[0] ?? '')?.[0] : undefined;
  if (other === undefined) return undefined;
  return `the cells seem to be separated by ${other === '\t' ? 'tabs: --delimiter tab' : `${other}: --delimiter '${other}'`}`;
}

function printable(name: string): string {
  return name.replace(/\p{C}/gu, ' ').slice(0, 50);
}
