import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { adminOf, expectRefusal } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();
const { run, print, list } = adminOf(database.env);

/** Each kind of file by the noun that imports it, in a valid import order. */
const files = {
  company: 'companies',
  branch: 'branches',
  partner: 'partners',
  token: 'tokens',
  item: 'items',
  tag: 'tags',
} as const;

async function importText(noun: keyof typeof files, content: string, ...options: string[]) {
  const file = join(folder, `${noun}.csv`);
  await writeFile(file, content);
  return run(noun, 'import', file, ...options);
}

test.each([['csv', []] as const, ['ndjson', ['--json']] as const])(
  'an export as %s makes an equal database',
  async (format, options) => {
    const [kept, suspended] = [await createTenant(app.db), await createTenant(app.db)];
    const body = { name_en: 'Spicy', name_ar: 'حار, جدا', item_ids: kept.products.slice(0, 3) };
    const { headers, body: tag } = await app.client.rest('POST', '/product_tags', { token: kept.token, body });
    await print('company', 'suspend', String(suspended.companyId));
    const place = ['--name-en', 'A "B"', '--name-ar', 'ا', '--city', 'saruh', '--services', 'dine_in', 'delivery'];
    await print('branch', 'create', '--company', String(kept.companyId), ...place);
    const revoked = await list('token', 'issue', '--partner', kept.partnerName, '--label', 'old');
    await print('token', 'revoke', String(revoked.id));

    const exported = join(folder, `from ${format}`);
    await print('export', exported, ...options);
    expect((await readdir(exported)).toSorted()).toEqual(
      Object.values(files)
        .map((name) => `${name}.${format}`)
        .toSorted(),
    );
    expect((await stat(join(exported, `tokens.${format}`))).mode & 0o777).toBe(0o600);

    await using copy = await copyTemplate();
    await using other = await startApp(copy.env);
    await sql`truncate companies, partners cascade`.execute(other.db);
    const onCopy = adminOf(copy.env);
    for (const [noun, name] of Object.entries(files)) {
      const file = join(exported, `${name}.${format}`);
      const trial = await onCopy.print(noun, 'import', file, '--dry-run');
      expect(trial).toBe(`Nothing was written. It would be:\n${await onCopy.print(noun, 'import', file)}`);
      expectRefusal(await onCopy.run(noun, 'import', file), /^line \d+, id: \d+ is an? \w+ already; --update/);
      expect(await onCopy.list(noun, 'import', file, '--update')).toMatchObject({ added: 0, changed: 0 });
    }
    const again = join(folder, `to ${format}`);
    await onCopy.print('export', again, ...options);
    for (const name of Object.values(files)) {
      const [before, after] = [exported, again].map((path) => readFile(join(path, `${name}.${format}`), 'utf8'));
      expect(await after).toBe(await before);
    }

    const ifMatch = headers.get('etag') as string;
    const update = { token: kept.token, body: { name_en: 'Mild' }, headers: { 'If-Match': ifMatch } };
    expect((await other.client.rest('PUT', `/product_tags/${tag.id}`, update)).status).toBe(200);
    for (const token of [suspended.token, revoked.token as string])
      expect((await other.client.rest('POST', '/product_tags', { token, body })).status).toBe(401);
  },
);

describe('a file with mistakes is rejected with the line of each', () => {
  test.each([
    [
      'company',
      'id,name_en,name_ar,city_id\n1,A,ا,535\n900,B,ب,999999',
      ['2, id: 1 is a company', '3, city_id: there is no'],
    ],
    [
      'branch',
      'id,company_id,name_en,name_ar,city_id,service_ids\n900,999999,A,ا,535,1;99\n901,1,A,ا,535,\n901,1,A,ا,535,',
      [
        '2, company_id: there is no company 999999',
        '2, service_ids: there is no service 99',
        '4, id: 901 is on line 3',
      ],
    ],
    [
      'partner',
      'id,name,default_company_id\n900,Demo Partner,1\n901,New,1\n902,New,1\n903,Other,999999',
      [
        '2, name: Demo Partner is taken: id 1 has it',
        '3, name: New is taken: id 902 has it',
        '4, name: New is taken: id 901 has it',
        '5, default_company_id: th',
      ],
    ],
    ['token', 'partner_id,token,expires_at\n1,0123456789abcdef,2027-02-30', ['2, expires_at: must be a date']],
    [
      'item',
      'id,company_id,item_type,name_en,name_ar\n12,1,product,A,ا',
      ['2, id: 12 is an item of another company (2)'],
    ],
    ['tag', 'id,company_id,name_en,item_ids\n900,2,Name,1', ['2, item_ids: not items of the company: 1']],
  ] as const)('%s', async (noun, content, mistakes) => {
    const rejected = await importText(noun, content);
    expectRefusal(rejected, /Nothing was changed/);
    expect(rejected.stderr.split('\n').slice(0, -2)).toEqual(
      mistakes.map((start) => expect.stringContaining(`line ${start}`)),
    );
  });
});

test('--update changes the rows with the ids of the file, and leaves columns that it lacks', async () => {
  const { companyId, partnerName } = await createTenant(app.db);
  await print('company', 'suspend', String(companyId));
  const companies = `id,name_en,name_ar,city_id\n${companyId},Renamed,اسم,535\n1,Palm Kitchen,مطبخ النخلة,535\n`;
  expect((await importText('company', companies, '--update')).stdout).toMatch(/^0 added, 1 changed, 1 unchanged\n/);
  expect(await list('company', 'list')).toContainEqual(
    expect.objectContaining({ id: companyId, name_en: 'Renamed', suspended_at: expect.any(String) }),
  );
  const branch = (services: string) =>
    importText('branch', `id,company_id,name_en,name_ar,city_id,service_ids\n700,1,A,ا,535,${services}\n`, '--update');
  expect((await branch('1;2')).stdout).toBe('1 added, 0 changed, 0 unchanged, 2 links\n');
  expect((await branch('2;3')).stdout).toBe('0 added, 1 changed, 0 unchanged, 2 links\n');
  expect(await list('branch', 'list', '--company', '1')).toContainEqual(
    expect.objectContaining({ id: 700, services: 'delivery pick_up' }),
  );
  expect((await list('partner', 'list')).map(({ name }: { name: string }) => name)).toContain(partnerName);
});

test.each([';', '\t'])('a spreadsheet with %j between its cells is read', async (delimiter) => {
  const { companyId, products } = await createTenant(app.db);
  const row = (...cells: string[]) => cells.join(delimiter);
  const content = [
    row('id', 'name_en', 'item_ids'),
    row(String(800_000 + companyId), 'Spicy', `"${products[0]};${products[1]}"`),
  ];
  const { stdout } = await importText('tag', content.join('\r\n'), '--company', String(companyId));
  expect(stdout).toBe('1 added, 0 changed, 0 unchanged, 2 links\n');
});

test('--retire removes what the file lacks, and an edited tag gets another version', async () => {
  const { companyId, products } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  const [first, second] = [900_000 + companyId * 2, 900_001 + companyId * 2];
  const tags = `id,name_en,item_ids\n${first},Spicy,${products[0]}\n${second},Sweet,\n`;
  await importText('tag', tags, ...company);
  const exported = await print('tag', 'export', ...company);
  const edited = exported.replace('Spicy', 'Very spicy').replace(/^.*Sweet.*$/m, '');
  const trial = await importText('tag', edited, ...company, '--update', '--retire', '--dry-run');
  const { stdout } = await importText('tag', edited, ...company, '--update', '--retire');
  expect(stdout).toBe('0 added, 1 changed, 0 unchanged, 1 retired, 1 links\n');
  expect(trial.stdout).toContain(stdout);
  const [tag, ...others] = await list('tag', 'list', ...company);
  expect(others).toEqual([]);
  expect(exported).not.toContain(tag.version);
});

test('an import waits for another one before it looks for ids, and partners swap their names', async () => {
  const { companyId } = await createTenant(app.db);
  const rows = Array.from({ length: 2_000 }, (_, index) => `${950_000 + index},product,Dish ${index},طبق ${index}`);
  const file = ['id,item_type,name_en,name_ar', ...rows].join('\n');
  const runs = await Promise.all([1, 2].map(() => importText('item', file, '--company', String(companyId))));
  expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(runs.map(({ stderr }) => stderr).join('')).toContain('950000 is an item already');

  const names = async () => (await list('partner', 'list')).slice(0, 2).map(({ name }: { name: string }) => name);
  const [one, two] = await names();
  await importText('partner', `id,name,default_company_id\n1,${two},1\n2,${one},2\n`, '--update');
  expect(await names()).toEqual([two, one]);
});

test.each([
  [
    'tags lose no items because a line lacks them',
    'tag',
    '{"id":1,"name_en":"Abc"}\n{"id":2,"name_en":"Abc","item_ids":[1]}',
  ],
  ['a token without a heading is not shown', 'token', 'secret-0123456789,1\n'],
  ['a token in malformed JSON is not shown', 'token', '{"partner_id":1,"token":"secret-0123456789"'],
  ['another encoding', 'item', Buffer.from('id,item_type,name_en,name_ar\n', 'utf16le').toString('latin1')],
] as const)('%s', async (_what, noun, content) => {
  const rejected = await importText(noun, content, '--update');
  expectRefusal(rejected, /^line [12]: /);
  expect(rejected.stderr).not.toContain('secret');
});
