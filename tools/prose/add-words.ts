import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { root } from '../build/make-folder.ts';

// Adds the words of the documents that the spelling check does not know to its list.
const options = [
  'lint',
  '--config',
  'tools/prose/cspell.json',
  '--no-progress',
  '--no-summary',
  '--words-only',
  '--unique',
];
const { stdout } = spawnSync(process.execPath, ['tools/prose/node_modules/cspell/bin.mjs', ...options], {
  cwd: root,
  encoding: 'utf8',
});
appendFileSync(`${root}tools/prose/words.txt`, stdout);
console.log(
  stdout === '' ? 'All words are known.' : `Added to tools/prose/words.txt; correct what is misspelled:\n${stdout}`,
);
