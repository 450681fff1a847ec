import { readFileSync, writeFileSync } from 'node:fs';
import { generate } from '@graphql-codegen/cli';
import config from '../../codegen.ts';

// The command line of graphql-codegen looks for its plugins in the working directory.
const options = { ...config, silent: true, pluginLoader: (/** @type {string} */ name) => import(name) };
for (const { filename, content } of await generate(options, false)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(filename, content);
  } else if (readFileSync(filename, 'utf8') !== content) {
    console.error(`${filename} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
