import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Prints a CSV file of this service with the columns of the old service's file alone: old-columns.ts OLD NEW. No cell has a
// line break, because imports reject control characters.
const [old = '', other = ''] = process.argv.slice(2);
const cellsOf = (line: string) => [...line.matchAll(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g)].map(([cell]) => cell);
const [heading = ''] = readFileSync(old, 'utf8').split('\n', 1);
let places: number[] | undefined;
for await (const line of createInterface(createReadStream(other))) {
  const cells = cellsOf(line);
  places ??= cellsOf(heading).map((column) => cells.indexOf(column));
  process.stdout.write(`${places.map((place) => cells[place]).join()}\n`);
}
