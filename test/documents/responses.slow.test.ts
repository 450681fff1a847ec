import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { documentBlocks, findRunners, runHere } from '../support/documents.ts';
import { putDemoToken } from '../support/put-demo-token.ts';
import { startApp, useFolder } from '../support/test-app.ts';

const folder = await useFolder();

test.each(runHere)('%s: its commands print the documented responses', async (path) => {
  await using app = await startApp();
  await writeFile(join(folder, 'demo-token'), await putDemoToken(app));
  const blocks = (await documentBlocks(path)).filter(({ code }) => findRunners(path, code).length === 0);
  const commands: { command: string; shown?: string }[] = [];
  for (const { language, code } of blocks) {
    // Each command is a line, plus the lines of its quoted texts and continuations.
    if (language === 'sh') commands.push(...(code.match(commandLine) ?? []).map((command) => ({ command })));
    if (language !== 'json' && language !== 'http') continue;
    const last = commands.at(-1);
    if (last === undefined || last.shown !== undefined) throw new Error(`No command sends the request of\n${code}`);
    last.shown = code;
  }
  const output = join(folder, 'output');
  const script = `exec >'${output}'\n${commands
    .map(({ command }) => `${withIds(command, output)}printf '%s' '${separator}'\n`)
    .join('')}`.replaceAll('http://127.0.0.1:4000', app.url);
  const env = { ...process.env, DATA_DIR: folder };
  const { stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script], { env });
  expect(stderr).toBe('');
  const responses = (await readFile(output, 'utf8')).split(separator);
  expect(responses).toHaveLength(commands.length + 1);
  for (const [index, { command, shown }] of commands.entries()) {
    const response = (responses[index] ?? '').trim();
    if (shown !== undefined) {
      expect(withoutSpace(response), command).toMatch(toPattern(shown));
    } else if (/^\w+(=|\(\))/.test(command)) {
      expect(response, command).toBe('');
    } else {
      expect(response, command).toMatch(/^\{".*\}$/s);
      expect(response, command).not.toMatch(/"errors":|"status":[45]|"userErrors":\[[^\]]/);
    }
  }
});

/** A command with ids as its reader puts them in: of the tag in the last response, and of the demo data's items. */
function withIds(command: string, output: string): string {
  return command
    .replace('=TAG_ID', `=$(grep -o '"id":[0-9]*' '${output}' | tail -1 | tr -dc 0-9)`)
    .replace('=ITEM_ID_2', '=2')
    .replace('=ITEM_ID', '=1');
}

/** Matches a response to the one in a document, where `...` stands for anything. */
function toPattern(shown: string): RegExp {
  const parts = withoutSpace(shown).split('...');
  return new RegExp(`^${parts.map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('.*')}$`);
}

function withoutSpace(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s/g, '$1');
}

const commandLine = /(?:'[^']*'|"[^"]*"|\\\n|[^'"\n])+\n/g;
const separator = '-- end of a response --';
