import { readFileSync, writeFileSync } from 'node:fs';
import { createSchema } from '../src/graphql/schema.ts';

// Writes schema.graphql from the resolvers; with --check only says whether the committed one is stale.
const file = new URL('../../schema.graphql', import.meta.url);
const printed = `${createSchema('public').typeDefs}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== printed) {
    console.error('schema.graphql is stale: run npm run generate');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, printed);
}
