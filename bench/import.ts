import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runAdmin } from './database.ts';
import { median } from './statistics.ts';

/** What the admin command takes to import a file of so many rows: the time of the whole process, the median in ms. */
export interface ImportTime {
  rows: number;
  time: number;
}

/** Imports a file of items for one company after the other. */
export async function measureImport(
  url: string,
  folder: string,
  rows: number,
  repetitions: number,
): Promise<ImportTime> {
  const file = join(folder, 'items.csv');
  const lines = Array.from({ length: rows }, (_, index) => `product,Dish ${index},طبق ${index}\n`);
  await writeFile(file, `item_type,name_en,name_ar\n${lines.join('')}`);
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const names = ['--name-en', `Importer ${repetition}`, '--name-ar', `مستورد ${repetition}`];
    const company = await runAdmin(url, 'company', 'create', ...names, '--city', 'saruh');
    const startedAt = performance.now();
    await runAdmin(url, 'item', 'import', file, '--company', company);
    times.push(performance.now() - startedAt);
  }
  return { rows, time: median(times) };
}
