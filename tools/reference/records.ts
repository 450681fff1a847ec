import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const folder = new URL('../../src/domain/reference/seed/lists/', import.meta.url);

/** The committed records of a file; none before the first run. */
export function readRecords<T>(file: string): T[] {
  const text = readText(file);
  return text === undefined ? [] : (JSON.parse(text) as T[]);
}

/** A JSON array with one record per line. */
export function renderRecords(records: object[]): string {
  return `[\n${records.map((record) => `  ${renderRecord(record)}`).join(',\n')}\n]\n`;
}

export function isStale(file: string, text: string): boolean {
  return readText(file) !== text;
}

export function writeText(file: string, text: string): void {
  writeFileSync(new URL(file, folder), text);
}

export type Identified<T> = { id: number } & T;

/** Known keys keep their id, new ones follow after the highest, and a record gone upstream stays as it was. */
export function withPermanentIds<K extends string, T extends Record<K, string>>(
  fresh: T[],
  existing: Identified<T>[],
  key: K,
): Identified<T>[] {
  const ids = new Map<string, number>(existing.map((record) => [record[key], record.id]));
  let last = Math.max(0, ...ids.values());
  const current = fresh.map((record) => ({ id: ids.get(record[key]) ?? ++last, ...record }));
  assert(last < 100_000, 'ids from 100000 on are not for shipped records');
  const keys = new Set<string>(fresh.map((record) => record[key]));
  return [...current, ...existing.filter((record) => !keys.has(record[key]))];
}

/** Code-unit order, the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** No two records (of one group) share a value of any of these columns. */
export function assertUnique<T>(records: T[], columns: (keyof T & string)[], group?: (record: T) => unknown): void {
  for (const column of columns) {
    const seen = new Set<string>();
    for (const record of records) {
      const value = JSON.stringify([group?.(record), String(record[column]).toLowerCase()]);
      assert(!seen.has(value), `${column} is taken: ${JSON.stringify(record)}`);
      seen.add(value);
    }
  }
}

/** Both names are filled and trimmed, and the Arabic one is in Arabic letters throughout. */
export function assertNames({ nameEn, nameAr }: { nameEn: string; nameAr: string }, label: string): void {
  assert.match(nameEn, /^\p{Script=Latin}(.*[\p{Script=Latin}.)])?$/u, `${label}: English name`);
  assert.match(nameAr, /^\p{Script=Arabic}[\p{Script=Arabic}\p{M} ،()-]*$/u, `${label}: Arabic name`);
  for (const name of [nameEn, nameAr]) assert.equal(name, name.trim(), `${label}: blanks around a name`);
}

function renderRecord(record: object): string {
  const columns = Object.entries(record).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{ ${columns.join(', ')} }`;
}

function readText(file: string): string | undefined {
  const path = new URL(file, folder);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
