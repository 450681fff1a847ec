import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { root } from './build/make-folder.ts';
import { install } from './install.ts';

const [codegen, lint, prose] = ['tools/codegen', 'tools/lint', 'tools/prose'] as const;
const tsc = 'node_modules/typescript/bin/tsc';

/** The parts of the check, slow ones first: name, folder of the packages, and arguments of Node. */
const parts: [name: string, folder: string | undefined, command: string][] = [
  ['types', undefined, tsc],
  ['generated', codegen, 'dist/tools/codegen/generate.js --check'],
  ['files', lint, 'node_modules/vitest/vitest.mjs run --project=check'],
  ['biome', lint, `${lint}/node_modules/@biomejs/biome/bin/biome check .`],
  ['knip', lint, `${lint}/node_modules/knip/bin/knip.js`],
  ['spelling', prose, `${prose}/node_modules/cspell/bin.mjs lint --config ${prose}/cspell.json --no-progress`],
  ['documents', codegen, `${codegen}/documents.js --check`],
  [
    'rest-client',
    codegen,
    `${codegen}/node_modules/openapi-typescript/bin/cli.js openapi.yaml ` +
      '--output examples/rest-client/src/v1.generated.ts --check',
  ],
  [
    'markdown',
    prose,
    `${prose}/node_modules/markdownlint-cli2/markdownlint-cli2-bin.mjs --config ${prose}/prose.markdownlint-cli2.jsonc`,
  ],
  [
    'compose',
    lint,
    `${lint}/node_modules/dclint/bin/dclint.cjs --config ${lint}/dclint.json --max-warnings 0 compose.yaml`,
  ],
  ['types of browser', undefined, `${tsc} -p browser`],
  ['types of examples', undefined, `${tsc} --noEmit -p examples/graphql-client`],
  ['contract', undefined, 'tools/contract/compare.ts'],
];

// Runs all or the named parts in parallel. Prints the output of failed parts; the last line names them.
await import('./build/build.ts');
const given = process.argv.slice(2);
const waiting = parts.filter(([name]) => given.length === 0 || given.includes(name));
const installed = new Map(
  [...new Set(waiting.map(([, folder]) => folder))].map((folder) => [folder, folder && install(folder)]),
);
const failed: string[] = [];

async function work(): Promise<void> {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const [name, folder, command] = part;
    await installed.get(folder);
    await promisify(execFile)(process.execPath, command.split(' '), { cwd: root }).catch(({ stdout, stderr }) => {
      failed.push(name);
      console.error(`\n== ${name}\n${stdout}${stderr}`);
    });
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
console.log(failed.length === 0 ? 'The check passed.' : `The check failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
