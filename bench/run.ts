import { writeFile } from 'node:fs/promises';
import { runBenchmark } from './benchmark.ts';
import { drawChart } from './chart.ts';
import { readOptions } from './options.ts';
import { renderReport } from './report.ts';

// An end from outside still ends the servers, which are told by this process's exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const options = await readOptions(process.argv.slice(2));
const results = await runBenchmark(options);
const report = renderReport(results);
console.log(report);
if (options.save) {
  await save('results.md', report);
  await save('results.json', `${JSON.stringify(results, rounded, 2)}\n`);
  await save('results.svg', drawChart(results));
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

async function save(file: string, text: string): Promise<void> {
  await writeFile(new URL(file, import.meta.url), text);
  console.error(`wrote bench/${file}`);
}
