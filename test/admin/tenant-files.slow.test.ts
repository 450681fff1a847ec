import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { listWaitingBackends } from '../support/locks.ts';
import { adminOf, expectRefusal, expectWrongUsage, runAdminProcess, spawnAdmin } from '../support/process.ts';
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
    const mirror = await list('token', 'issue', '--partner', kept.partnerName, '--read-only');

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
      expectRefusal(await onCopy.run(noun, 'import', file), /^id: is an? \w+ already; --update/);
      expect(await onCopy.list(noun, 'import', file, '--update')).toMatchObject({ added: 0, changed: 0 });
    }
    const again = join(folder, `to ${format}`);
    await onCopy.print('export', again, ...options);
    const contentOf = async (path: string, name: string) =>
      (await readFile(join(path, `${name}.${format}`), 'utf8')).replace(
        /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
        '',
      );
    for (const name of Object.values(files)) expect(await contentOf(again, name)).toBe(await contentOf(exported, name));

    // The tag may have had other content with this version since the export.
    const ifMatch = headers.get('etag') as string;
    const update = { token: kept.token, body: { name_en: 'Mild' }, headers: { 'If-Match': ifMatch } };
    expect((await other.client.rest('PUT', `/product_tags/${tag.id}`, update)).status).toBe(412);
    expect((await other.client.rest('POST', '/product_tags', { token: kept.token, body })).body.id).toBe(tag.id + 1);
    for (const [token, status] of [
      [suspended.token, 401],
      [revoked.token, 401],
      [mirror.token, 403],
    ])
      expect((await other.client.rest('POST', '/product_tags', { token, body })).status).toBe(status);
  },
);

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

test('the access of a token is full unless the file says read_only, and stays with --update unless it names one', async () => {
  const { partnerId } = await createTenant(app.db);
  const ids = [0, 1, 2, 3].map((index) => 1_400_000 + partnerId * 4 + index);
  const [absent, empty, full, readOnly] = ids;
  const accesses = async () => {
    const tokens: { id: number; access: string }[] = await list('token', 'list');
    return ids.map((id) => tokens.find((each) => each.id === id)?.access);
  };
  const hashOf = (id = 0) => String(id).padStart(64, '0');
  const importRows = (columns: string, ...rows: [id: number | undefined, access: string][]) =>
    importText(
      'token',
      [columns, ...rows.map(([id, access]) => `${id},${partnerId},${hashOf(id)}${access}`)].join('\n'),
      '--update',
    );
  const withAccess = 'id,partner_id,token_sha256,access';
  await importRows('id,partner_id,token_sha256', [absent, '']);
  expect(await importRows(withAccess, [empty, ','], [full, ',full'], [readOnly, ',read_only'])).toMatchObject({
    stdout: '3 added, 0 changed, 0 unchanged\n',
  });
  expect(await accesses()).toEqual(['full', 'full', 'full', 'read_only']);

  for (const [columns, cell] of [
    [withAccess, ','],
    ['id,partner_id,token_sha256', ''],
  ] as const) {
    const { stdout } = await importRows(columns, [full, cell], [readOnly, cell]);
    expect(stdout).toBe('0 added, 0 changed, 2 unchanged\n');
  }
  expect(await importRows(withAccess, [full, ',read_only'], [readOnly, ',full'])).toMatchObject({
    stdout: '0 added, 2 changed, 0 unchanged\n',
  });
  expect(await accesses()).toEqual(['full', 'full', 'read_only', 'full']);
  expectRefusal(await importRows(withAccess, [full, ',readonly']), /access: must be full or read_only/);
});

test('a JSON line without an optional field is a row without it: null for a new row, kept with --update', async () => {
  const { companyId, products } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  const [first, second] = [1_200_000 + companyId * 2, 1_200_001 + companyId * 2];
  const file = join(folder, 'tags.ndjson');
  const importLines = async (...lines: object[]) => {
    await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return runAdminProcess(database.env, 'tag', 'import', file, ...company, '--update');
  };
  const tags = async () =>
    (await list('tag', 'list', ...company)).map(({ version: _version, ...tag }: { version: string }) => tag);
  const spicy = { id: first, name_en: 'Spicy', name_ar: 'حار', item_ids: [products[0]] };
  expect(await importLines({ id: second, name_en: 'Sweet' }, spicy)).toMatchObject({
    stdout: '2 added, 0 changed, 0 unchanged, 1 links\n',
  });
  const sweet = { id: second, name_en: 'Sweet', name_ar: null, item_ids: [] };
  expect(await tags()).toEqual([spicy, sweet]);

  const changed = { ...sweet, name_ar: 'حلو', item_ids: [products[1]] };
  expect(await importLines(changed, { id: first, name_en: 'Very spicy' })).toMatchObject({
    stdout: '0 added, 2 changed, 0 unchanged, 1 links\n',
  });
  expect(await tags()).toEqual([{ ...spicy, name_en: 'Very spicy' }, changed]);
  expect(await importLines({ id: first, name_en: 'Very spicy', name_ar: null }, changed)).toMatchObject({
    stdout: '0 added, 1 changed, 1 unchanged, 1 links\n',
  });
  expect(await tags()).toEqual([{ ...spicy, name_en: 'Very spicy', name_ar: null }, changed]);
});

test('blank elements of a list and blanks around its ids do not count', async () => {
  const { companyId, products } = await createTenant(app.db);
  const [one, two, three] = products;
  const company = ['--company', String(companyId), '--update'];
  const id = 1_300_000 + companyId;
  const file = join(folder, 'lists.ndjson');
  const links = async () => (await list('tag', 'list', '--company', String(companyId)))[0].item_ids;
  for (const [cell, linked] of [
    [
      [null, '', one, ` ${two} `, '\t'],
      [one, two],
    ],
    [` ${one} ;;${three}; `, [one, three]],
    [[null, ''], []],
    [';', []],
  ] as const) {
    await writeFile(file, JSON.stringify({ id, name_en: 'Spicy', item_ids: cell }));
    await print('tag', 'import', file, ...company);
    expect(await links()).toEqual(linked);
  }
  for (const cell of [[' 1 2'], [[]], [true], '1 2', '1, 2']) {
    await writeFile(file, JSON.stringify({ id, name_en: 'Spicy', item_ids: cell }));
    expectRefusal(await run('tag', 'import', file, ...company), /^item_ids: must be /);
  }
});

test('exports for Excel are read back without a change', async () => {
  const { products, token } = await createTenant(app.db);
  const body = { name_en: '=1+1; "2", 3', name_ar: 'حار', item_ids: products.slice(0, 2) };
  await app.client.rest('POST', '/product_tags', { token, body });
  const [exported, lists] = [join(folder, 'excel'), join(folder, 'excel lists')];
  await runAdminProcess(database.env, 'export', exported, '--excel');
  await runAdminProcess(database.env, 'reference', 'export', lists, '--excel');
  const tags = await readFile(join(exported, 'tags.csv'), 'utf8');
  expect(tags).toMatch(/^\uFEFFid;company_id;name_en;name_ar;item_ids;version\r\n/);
  expect(tags).toMatch(new RegExp(`;"=1\\+1; ""2"", 3";حار;"${products[0]};${products[1]}";[^;\\r]*\r\n$`));
  const { stdout } = await runAdminProcess(database.env, 'tag', 'export', '--excel');
  expect(stdout).toBe(tags);
  for (const [noun, name] of Object.entries(files)) {
    const counts = await list(noun, 'import', join(exported, `${name}.csv`), '--update');
    expect(counts).toMatchObject({ added: 0, changed: 0 });
  }
  const counts: Record<string, object> = (await list('reference', 'import', lists)).lists;
  for (const each of Object.values(counts)) expect(each).toMatchObject({ added: 0, changed: 0 });
  expectWrongUsage(await run('tag', 'export', '--excel', '--json'), /--excel writes CSV/);
});

test('a file as spreadsheets write it is imported in its order', async () => {
  const company = await print('company', 'create', '--name-en', 'Importer', '--name-ar', 'مستورد', '--city', 'saruh');
  const file =
    '\uFEFFname_ar,ITEM_TYPE,name_en,,\r\n"طبق ""خاص""",product,"Grilled, spicy",,,\r\n\r\n,,\r\n' +
    ' الحجم ,Modifier_Group,Size';
  expect(await importText('item', file, '--company', company)).toEqual({
    code: 0,
    stderr: '',
    stdout: '2 added, 0 changed, 0 unchanged\n',
  });
  const lines = (await print('item', 'export', '--company', company)).split('\n').slice(1);
  expect(lines.map((line) => line.replace(/^\d+,/, '').replace(/,*$/, ''))).toEqual([
    'product,"Grilled, spicy","طبق ""خاص"""',
    'modifier_group,Size,الحجم',
  ]);
});

test.each([
  [';', ''],
  ['\t', ''],
  ['|', 'sep=|\r\n'],
])('a spreadsheet with %j between its cells is read (after %j)', async (delimiter, start) => {
  const { companyId, products } = await createTenant(app.db);
  const row = (...cells: string[]) => cells.join(delimiter);
  const content = [
    row('id', 'name_en', 'item_ids'),
    row(String(800_000 + companyId), 'Spicy', `"${products[0]};${products[1]};${products[0]}"`),
  ];
  const { stdout } = await importText('tag', start + content.join('\r\n'), '--company', String(companyId));
  expect(stdout).toBe('1 added, 0 changed, 0 unchanged, 2 links\n');
});

// Lines have 64 bytes, and files are read in chunks of 64 KiB.
test.each([
  ['a carriage return and its line feed', 63],
  ['the bytes of a letter', 69],
])('a large file is read whole if chunks end between %s, and a mistake has its line', async (_what, length) => {
  const { companyId } = await createTenant(app.db);
  const heading = 'id,item_type,name_en,name_ar'.padEnd(length);
  const start = 1_600_000 + length * 2_100;
  const lines = Array.from(
    { length: 2_100 },
    (_, index) => `${start + index},product,${`Dish ${index}`.padEnd(39, 'x')},صنف`,
  );
  const textOf = (last: string) => [heading, ...lines, last, ''].join('\r\n');
  const company = ['--company', String(companyId)];
  expectRefusal(
    await importText('item', textOf('1900000,dish,Last,صنف'), ...company),
    /^item_type: must be .*\n +line 2102, id 1900000: /,
  );
  const { stdout } = await importText('item', textOf(`${start + 2_100},product,Last,صنف`), ...company);
  expect(stdout).toBe('2101 added, 0 changed, 0 unchanged\n');
  expect((await list('item', 'list', ...company)).at(-2).name_en).toBe(`Dish 2099${'x'.repeat(30)}`);
});

test('--retire removes what the file lacks, and an edited tag gets another version', async () => {
  const { companyId, products } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  const [first, second] = [900_000 + companyId * 2, 900_001 + companyId * 2];
  const tags = `id,name_en,item_ids\n${first},Spicy,${products[0]}\n${second},Sweet,\n`;
  await importText('tag', tags, ...company);
  const exported = await print('tag', 'export', ...company);
  const edited = exported.replace('Spicy', 'Very spicy').replace(/^.*Sweet.*$/m, '');
  const trial = await importText('tag', edited, ...company, '--update', '--retire', '1', '--dry-run');
  const { stdout } = await importText('tag', edited, ...company, '--update', '--retire', '1');
  expect(stdout).toBe('0 added, 1 changed, 0 unchanged, 1 retired, 1 links\n');
  expect(trial.stdout).toContain(stdout);
  const [tag, ...others] = await list('tag', 'list', ...company);
  expect(others).toEqual([]);
  expect(exported).not.toContain(tag.version);
});

test('--retire removes only in companies that the file names, and nothing if that is more than allowed', async () => {
  const [own, other] = [await createTenant(app.db), await createTenant(app.db)];
  const importAs = async (noun: 'item' | 'tag', lines: string[], ...options: string[]) => {
    const file = join(folder, `${noun}.csv`);
    await writeFile(file, `${lines.join('\n')}\n`);
    return runAdminProcess(database.env, noun, 'import', file, '--update', ...options);
  };
  const of = async (noun: 'item' | 'tag', { companyId }: { companyId: number }) =>
    (await print(noun, 'export', '--company', String(companyId))).split('\n');
  for (const { companyId, products } of [own, other])
    await importAs(
      'tag',
      ['id,name_en,item_ids', `${1_100_000 + companyId},Spicy,${products[0]}`],
      '--company',
      String(companyId),
    );
  const state = async () => [await print('item', 'export'), await print('tag', 'export')];
  const before = await state();

  for (const noun of ['item', 'tag'] as const) {
    const [heading = ''] = await of(noun, own);
    const alone = ['--company', String(own.companyId)];
    expectRefusal(await importAs(noun, [heading], '--retire', '1000', ...alone), /^the file has no rows/);
    expectRefusal(await importAs(noun, [`company_id,${heading}`], '--retire', '1000'), /^the file has no rows/);
  }
  const withoutId = ['item_type,name_en,name_ar', 'product,New,جديد'];
  const unidentified = await importAs('item', withoutId, '--retire', '1000', '--company', String(own.companyId));
  expectRefusal(unidentified, /^no row has an id, so that all would be retired/);
  const [heading = '', first = '', ...missing] = await of('item', own);
  const kept = [`company_id,${heading}`, `${own.companyId},${first}`];
  for (const dryRun of [[], ['--dry-run']]) {
    const tooMany = await importAs('item', kept, '--retire', String(missing.length - 1), ...dryRun);
    const message = `^${missing.length} items would be retired, and --retire allows ${missing.length - 1}\\. Nothing was changed`;
    expectRefusal(tooMany, new RegExp(message));
  }
  expectWrongUsage(await importAs('item', kept, '--retire'), /--retire <most>/);
  expect(await state()).toEqual(before);

  const trial = await importAs('item', kept, '--retire', String(missing.length), '--dry-run');
  const done = await importAs('item', kept, '--retire', String(missing.length));
  expect(done.stdout).toMatch(new RegExp(`^0 added, 0 changed, 1 unchanged, ${missing.length} retired\\n`));
  const others = (await of('item', other)).length - 1;
  expect(done.stdout).toMatch(
    new RegExp(
      `^Nothing is retired in companies that the file does not name: .*${other.companyId} \\(${others} items\\)`,
      'm',
    ),
  );
  expect(trial.stdout).toBe(`Nothing was written. It would be:\n${done.stdout}`);
  expect(await of('item', own)).toEqual([heading, first]);
  expect((await state())[0]).toContain(other.products[0]);

  // The last item and the last tag of a company, which no file can lack.
  const last = { item: first.split(',')[0] as string, tag: String(1_100_000 + own.companyId) };
  for (const noun of ['item', 'tag'] as const) {
    const remove = (company: number) =>
      runAdminProcess(database.env, noun, 'remove', last[noun], '--company', String(company));
    expectRefusal(
      await remove(other.companyId),
      new RegExp(`^Company ${other.companyId} has no ${noun} ${last[noun]}\\.`),
    );
    expect((await remove(own.companyId)).stdout).toMatch(/^(Item|Tag) \d+ is removed\.\n$/);
    expect(await of(noun, own)).toHaveLength(1);
  }
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

test('a dry run writes nothing and locks nothing: it waits for no other writer', async () => {
  const { companyId, products } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  const items = `id,item_type,name_en,name_ar\n${products[0]},product,Other,آخر\n,modifier,New,جديد\n`;
  await app.db.transaction().execute(async (transaction) => {
    await sql`lock table items, product_tags in share row exclusive mode`.execute(transaction);
    const tag = `id,name_en,item_ids\n1600000,Spicy,${products[0]}\n`;
    const tags = await importText('tag', tag, ...company, '--dry-run');
    expect(tags.stdout).toBe('Nothing was written. It would be:\n1 added, 0 changed, 0 unchanged, 1 links\n');
    const { stdout } = await importText('item', items, ...company, '--update', '--dry-run');
    expect(stdout).toContain('1 added, 1 changed, 0 unchanged');
  });
});

test('a file, a pipe and standard output get the same export', async () => {
  const [file, pipe] = [join(folder, 'exported.csv'), join(folder, 'pipe')];
  execFileSync('mkfifo', [pipe]);
  const [piped] = await Promise.all([readFile(pipe, 'utf8'), print('item', 'export', pipe)]);
  await print('item', 'export', file);
  expect(await readFile(file, 'utf8')).toBe(piped);
  expect(await print('item', 'export')).toBe(piped.trimEnd());
});

test('many tags with many links are imported', async () => {
  const { companyId, products } = await createTenant(app.db, { products: 1_000 });
  const rows = Array.from({ length: 6_000 }, (_, tag) => {
    const items = Array.from({ length: 10 }, (_, item) => products[(tag + item * 97) % products.length]);
    return `${2_000_000 + tag},Tag ${tag},${items.join(';')}`;
  });
  const { stdout } = await importText(
    'tag',
    ['id,name_en,item_ids', ...rows].join('\n'),
    '--company',
    String(companyId),
  );
  expect(stdout).toBe('6000 added, 0 changed, 0 unchanged, 60000 links\n');
  expect(await list('tag', 'list', '--company', String(companyId))).toHaveLength(6_000);
  // PostgreSQL knows their number, so that the service's connections no longer plan for small tables.
  const { rows: tables } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where relname = 'product_taggings'`.execute(app.db);
  expect(tables[0]?.reltuples).toBeGreaterThan(50_000);
});

describe('after the database gave an import up to let another change proceed', () => {
  const importItems = async (path: string, content: string) => {
    const file = join(folder, 'deadlock.csv');
    await writeFile(file, content);
    return { args: ['item', 'import', path === '-' ? '-' : file, '--update'], input: path === '-' ? content : '' };
  };
  const importList = async (_path: string, _content: string) => {
    const file = join(folder, 'cuisine_types.csv');
    await writeFile(file, 'id,name_en,name_ar\n1,Bedouin,بدوي\n');
    return { args: ['reference', 'import', file], input: '' };
  };

  test.each([
    ['a file is read again', 'file', importItems, 'items', '0 added, 1 changed'],
    ['a list is read again', 'file', importList, 'cuisine_types', '0 added, 1 changed'],
    ['standard input is not: nothing changes', '-', importItems, 'items', 'read only once'],
  ])('%s', async (_name, path, prepare, table, says) => {
    const { companyId, products } = await createTenant(app.db);
    const row = `${products[0]},${companyId},product,Renamed,اسم\n`;
    const { args, input } = await prepare(path, `id,company_id,item_type,name_en,name_ar\n${row}`);
    const { child } = await app.db.transaction().execute(async (transaction) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local lock_timeout = 0`.execute(transaction);
      // The import notices the deadlock first.
      await sql`set local deadlock_timeout = '1min'`.execute(transaction);
      await sql`lock table ${sql.table(table)} in exclusive mode`.execute(transaction);
      const child = spawnAdmin(database.env, args, input);
      await expect.poll(() => listWaitingBackends(app.db)).toHaveLength(1);
      await sql`select pg_advisory_xact_lock(hashtext('import'))`.execute(transaction);
      return { child };
    });
    await child.exited;
    expect(child.stdout + child.stderr).toContain(says);
  });
});

test('an export that does not fit on the disk leaves the file as it was, and nothing beside it', async () => {
  await createTenant(app.db, { products: 1_000 });
  const target = await mkdtemp(join(folder, 'full '));
  const file = join(target, 'items.csv');
  await writeFile(file, 'before');
  // At most 4 KiB for each file.
  const exportTo = (...args: string[]) => {
    const command = ['ulimit -f 8; exec "$@"', 'sh', process.execPath, 'dist/src/admin.js', ...args];
    const options = { cwd: root, env: { PATH: process.env.PATH, ...database.env }, encoding: 'utf8' } as const;
    return spawnSync('sh', ['-c', ...command], options);
  };
  for (const args of [
    ['item', 'export', file],
    ['export', target],
  ]) {
    const { status, stderr } = exportTo(...args);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The file .* cannot be used: file too large/),
    });
    expect([await readdir(target), await readFile(file, 'utf8')]).toEqual([['items.csv'], 'before']);
  }
});
