import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { root } from './build/make-folder.ts';
import { install } from './install.ts';

const [codegen, lint, prose] = ['tools/codegen', 'tools/lint', 'tools/prose'] as const;
const tsc = 'node_modules/typescript/bin/tsc';

const generate = 'npm run generate writes it.';

// Slow parts first.
const parts: [name: string, packages: string | undefined, nodeArguments: string, advice?: string][] = [
  ['types', undefined, tsc],
  ['generated', codegen, 'dist/tools/codegen/generate.js --check', generate],
  ['schema', undefined, 'dist/tools/codegen/schema.js --check', generate],
  ['files', lint, 'node_modules/vitest/vitest.mjs run --project=check'],
  [
    'biome',
    lint,
    `${lint}/node_modules/@biomejs/biome/bin/biome check .`,
    'npm run format corrects formats and imports.',
  ],
  ['knip', lint, `${lint}/node_modules/knip/bin/knip.js`],
  [
    'spelling',
    prose,
    `${prose}/node_modules/cspell/bin.mjs lint --config ${prose}/cspell.json --no-progress`,
    'Correct the words, or npm run words adds all of them to tools/prose/words.txt.',
  ],
  ['documents', codegen, `${codegen}/documents.js --check`, generate],
  [
    'rest-client',
    codegen,
    `${codegen}/node_modules/openapi-typescript/bin/cli.js openapi.yaml ` +
      '--output examples/rest-client/src/v1.generated.ts --check',
    generate,
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
  ['contract', undefined, 'tools/contract/compare.ts', 'If this is meant, npm run contract:release stores it.'],
];

await import('./build/build.ts');
const names = process.argv.slice(2);
const queue = parts.filter(([name]) => names.length === 0 || names.includes(name));
const installed = new Map(
  [...new Set(queue.map(([, folder]) => folder))].map((folder) => [folder, folder && install(folder)]),
);
const failed: string[] = [];

async function work(): Promise<void> {
  for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
    const [name, folder, command, advice = ''] = part;
    await installed.get(folder);
    await promisify(execFile)(process.execPath, command.split(' '), { cwd: root }).catch(({ stdout, stderr }) => {
      failed.push(name);
      console.error(`\n== ${name}\n${stdout}${stderr}${advice}`);
    });
  }
}

await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
console.log(failed.length === 0 ? 'The check passed.' : `The check failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
