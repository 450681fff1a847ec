import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Prints a CSV file of this service with the columns of the old service's file alone: old-columns.ts OLD NEW. No cell has a
// line break, because imports reject control characters. Leaves out companies and partners that the old service no longer
// has, and lists them: no import removes them.
const [old = '', other = ''] = process.argv.slice(2);
const cellsOf = (line: string) => [...line.matchAll(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g)].map(([cell]) => cell);
const [heading = '', ...rows] = readFileSync(old, 'utf8').split('\n');
const idPlace = cellsOf(heading).indexOf('id');
const listsOthers = /(companies|partners)\.csv$/.test(old);
const known = new Set(rows.map((row) => cellsOf(row)[idPlace]));
let places: number[] | undefined;
for await (const line of createInterface(createReadStream(other))) {
  const cells = cellsOf(line);
  const isHeading = places === undefined;
  places ??= cellsOf(heading).map((column) => cells.indexOf(column));
  const shown = places.map((place) => cells[place]);
  if (isHeading || !listsOthers || known.has(shown[idPlace])) process.stdout.write(`${shown.join()}\n`);
  else process.stderr.write(`Only this service has ${other}: ${line}\n`);
}
