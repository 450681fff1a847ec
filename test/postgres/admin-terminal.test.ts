import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyTemplate, use } from '../support/app.ts';
import { runAdmin } from '../support/process.ts';
import { runInTerminal } from '../support/terminal.ts';

const database = use(await copyTemplate());

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
    const { code, screen } = await runInTerminal(database.env, [
      'token',
      'issue',
      '--partner',
      'Demo Partner',
      '--days',
      '7',
    ]);
    expect(code).toBe(0);
    expect(screen).toMatch(/^pp_[\w-]{43}\r\n.*7 days.*\r\n$/);
  });

  test('an empty list is a sentence', async () => {
    const { code, screen } = await runInTerminal(database.env, ['city', 'list', '--country', 'BV']);
    expect({ code, screen }).toEqual({ code: 0, screen: 'There are no such cities.\r\n' });
  });

  test('revoking a token asks first', async () => {
    await runAdmin(database.env, 'token', 'issue', '--partner', 'Demo Neighbour');
    const tokens = await runAdmin(database.env, 'token', 'list');
    const [id = ''] =
      tokens.stdout
        .split('\n')
        .find((line) => line.includes('Demo Neighbour'))
        ?.split('\t') ?? [];
    const state = async () => {
      const { stdout } = await runAdmin(database.env, 'token', 'list');
      return stdout
        .split('\n')
        .find((line) => line.startsWith(`${id}\t`))
        ?.split('\t')[1];
    };
    const refused = await runInTerminal(database.env, ['token', 'revoke', id], 'n\n');
    expect(refused).toMatchObject({
      code: 1,
      screen: expect.stringMatching(/Revoke it\? \[y\/N\].*Nothing was changed\./s),
    });
    expect(await state()).toBe('live');
    const interrupted = await runInTerminal(database.env, ['token', 'revoke', id], '\x03');
    expect(interrupted).toMatchObject({
      code: 130,
      screen: expect.stringContaining('Interrupted: nothing was changed.'),
    });
    expect(await state()).toBe('live');
    const agreed = await runInTerminal(database.env, ['token', 'revoke', id], 'y\n');
    expect(agreed).toMatchObject({ code: 0, screen: expect.stringContaining(`Token ${id} is revoked.`) });
    expect(await state()).toBe('revoked');
    const unasked = await runInTerminal(database.env, ['token', 'revoke', id, '--yes']);
    expect(unasked).toMatchObject({ code: 0, screen: expect.not.stringContaining('?') });
  });

  test('an import shows how far it is, and then only what it did', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'items-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'items.csv');
    const rows = Array.from({ length: 20_000 }, (_, index) => `product,Dish ${index},طبق ${index}`);
    await writeFile(file, ['item_type,name_en,name_ar', ...rows].join('\n'));
    const { code, screen } = await runInTerminal(database.env, ['item', 'import', file, '--company', '1']);
    expect(code).toBe(0);
    expect(screen).toMatch(/\d+ of 20000 items written/);
    expect(screen.split('\r').at(-2)).toBe('\u001b[2KImported: 20000 added, 0 changed, 0 unchanged.');
  });
});
