import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Writes a generated file of the project; with --check, only reports that it is stale. */
export function write(name: string, content: string): void {
  const file = new URL(`../../../${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, content);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== content) {
    console.error(`${name} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
