import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { copyTemplate, use, useFolder } from '../support/app.ts';
import { runAdmin } from '../support/process.ts';
import { runInTerminal } from '../support/terminal.ts';

const database = use(await copyTemplate());
const folder = await useFolder();

const isolates = /[\u2068\u2069]/g;

// `script` of util-linux, as Linux has it.
describe.runIf(process.platform === 'linux')('in a terminal', () => {
  test('a list is a table whose columns stand below each other, Arabic with its vowel signs too', async () => {
    const named = ['--name-en', 'Vowels', '--name-ar', 'مَطْبَخٌ', '--city', 'saruh'];
    const company = (await runAdmin(database.env, 'company', 'create', ...named)).stdout.trim();
    await runAdmin(database.env, 'partner', 'create', '--name', 'شَرِيكٌ', '--company', company);
    const { code, screen } = await runInTerminal(database.env, ['partner', 'list']);
    expect(code).toBe(0);
    const [heading = '', rule = '', ...rows] = screen.replace(isolates, '').trimEnd().split('\r\n');
    expect(heading).toMatch(
      /^\| ID \| NAME +\| LIVE TOKENS \| COMPANY ID \| COMPANY NAME EN \| COMPANY NAME AR \| SUSP/,
    );
    expect(rows).toHaveLength(3);
    const edges = (line: string) =>
      line.split('|').map((_, index, parts) => stringWidth(parts.slice(0, index).join('|')));
    for (const line of [rule, ...rows]) expect(edges(line), line).toEqual(edges(heading));
  });

  test('a token is shown once, with what to know about it', async () => {
    const args = ['token', 'issue', '--partner', 'Demo Partner', '--days', '7'];
    const { code, screen } = await runInTerminal(database.env, args);
    expect(code).toBe(0);
    expect(screen).toMatch(/^pp_[\w-]{43}\r\n.*7 days.*\r\n$/);
  });

  test('an empty list is a sentence', async () => {
    const { code, screen } = await runInTerminal(database.env, ['city', 'list', '--country', 'BV']);
    expect({ code, screen }).toEqual({ code: 0, screen: 'There are no such cities.\r\n' });
  });

  test('revoking a token asks first', async () => {
    await runAdmin(database.env, 'token', 'issue', '--partner', 'Demo Neighbour');
    const find = async () => {
      const tokens: { id: number; partner: string; state: string }[] = JSON.parse(
        (await runAdmin(database.env, 'token', 'list', '--json')).stdout,
      );
      return tokens.find(({ partner }) => partner === 'Demo Neighbour');
    };
    const id = String((await find())?.id);
    for (const [typed, code, screen, state] of [
      ['n\n', 1, /Revoke it\? \[y\/N\].*Nothing was changed\./s, 'live'],
      ['\x03', 130, /Interrupted: nothing was changed\./, 'live'],
      ['y\n', 0, new RegExp(`Token ${id} is revoked\\.`), 'revoked'],
    ] as const) {
      const run = await runInTerminal(database.env, ['token', 'revoke', id], typed);
      expect(run).toMatchObject({ code, screen: expect.stringMatching(screen) });
      expect(await find()).toMatchObject({ state });
    }
    const unasked = await runInTerminal(database.env, ['token', 'revoke', id, '--yes']);
    expect(unasked).toMatchObject({ code: 0, screen: expect.not.stringContaining('?') });
  });

  test('an import shows how far it is, and then only what it did', async () => {
    const file = join(folder, 'items.csv');
    const rows = Array.from({ length: 20_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
    await writeFile(file, ['item_type,name_en,name_ar', ...rows].join('\n'));
    const { code, screen } = await runInTerminal(database.env, ['item', 'import', file, '--company', '1']);
    expect(code).toBe(0);
    expect(screen).toMatch(/\d+ of 20000 items written/);
    expect(screen.split('\r').at(-2)).toBe('\u001b[2KImported: 20000 added, 0 changed, 0 unchanged.');
  });
});
