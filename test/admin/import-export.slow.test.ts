import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashToken } from '../../src/kernel/token.ts';
import { createAdmin, expectFailure, spawnAdmin } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();
const { run, print, list } = createAdmin(database.env);
const lists = ['companies', 'branches', 'partners', 'tokens', 'items', 'tags'];

async function importText(name: string, content: string, ...options: string[]) {
  const file = join(folder, `${name}.csv`);
  await writeFile(file, content);
  return run('import', name, file, ...options);
}

const exportLines = async (...args: string[]) => (await print('export', ...args)).split('\n');

test('exports restore an equal database, a dry run writes nothing, and a second import changes nothing', async () => {
  const kept = await createTenant(app.db);
  const body = { name_en: 'Spicy "hot", or so', name_ar: 'حار, جدا', item_ids: kept.products.slice(0, 3) };
  const { body: tag } = await app.client.rest('POST', '/product_tags', { token: kept.token, body });
  await print('company', 'suspend', '2');
  const mirror = await print('token', 'issue', '--partner', kept.partnerName, '--read-only');
  await using copy = await copyTemplate();
  await using other = await startApp(copy.env);
  await sql`truncate companies, partners cascade`.execute(other.db);
  const onCopy = createAdmin(copy.env);
  for (const name of lists) {
    const exported = await print('export', name);
    const rows = exported.split('\n').length - 1;
    const file = join(folder, `${name}.csv`);
    await writeFile(file, exported);
    const trial = await onCopy.run('import', name, file, '--dry-run');
    expect(await onCopy.list('import', name, file)).toMatchObject({ rows, added: rows, changed: 0 });
    expect(trial.stdout).toContain(`Nothing was written. It would be:\n${rows} rows: ${rows} added, 0 changed`);
    expect(await onCopy.list('import', name, file)).toMatchObject({ rows, added: 0, changed: 0 });
    expect(await onCopy.print('export', name)).toBe(exported);
    expect(await list('import', name, file)).toMatchObject({ rows, added: 0, changed: 0 });
  }
  const post = async (token: string) => (await other.client.rest('POST', '/product_tags', { token, body })).status;
  expect(await post(mirror)).toBe(403);
  expect((await other.client.rest('POST', '/product_tags', { token: kept.token, body })).body.id).toBe(tag.id + 1);
});

test('an import updates rows by id, and keeps columns that the file lacks', async () => {
  const { companyId, products } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  const id = 900_000 + companyId;
  const tags = async () => (await exportLines('tags', ...company)).slice(1);
  const added = await importText('tags', `id,name_en,name_ar,item_ids\n${id},Spicy,حار,${products[0]}\n`, ...company);
  expect(added.stdout).toBe('1 row: 1 added, 0 changed, 1 linked, 0 unlinked\n');
  await importText('tags', `id,name_en\n${id},Very spicy\n`, ...company);
  expect(await tags()).toEqual([`${id},Very spicy,حار,${products[0]}`]);
  const relinked = `name_ar,item_ids,name_en,id\n,${products[1]}; ${products[2]};,Very spicy,${id}\n`;
  expect((await importText('tags', relinked, ...company)).stdout).toBe(
    '1 row: 0 added, 1 changed, 2 linked, 1 unlinked\n',
  );
  expect(await tags()).toEqual([`${id},Very spicy,,${products[1]};${products[2]}`]);

  const branches = 'name_en,name_ar,city_id,service_ids\nA,ا,535,1;2\n';
  expect((await importText('branches', branches, ...company)).stdout).toContain('1 added, 0 changed, 2 linked');
  await importText('companies', `id,name_en,name_ar,city_id\n${companyId},Renamed,اسم,535\n`);
  expect(await exportLines('companies')).toContain(`${companyId},Renamed,اسم,,535,`);
});

test('partners can create tags after an import of the highest id', async () => {
  const { companyId, token } = await createTenant(app.db);
  const company = ['--company', String(companyId)];
  expect((await importText('tags', 'id,name_en\n2147483647,Last\n', ...company)).stdout).toContain('1 added');
  const body = { name_en: 'Next' };
  expect((await app.client.rest('POST', '/product_tags', { token, body })).body.id).toBeLessThan(2_147_483_647);
  const exported = await print('export', 'tags', ...company);
  expect((await importText('tags', exported, ...company)).stdout).toContain('2 rows: 0 added, 0 changed');
});

test('ignores direction marks and blanks around headings and cells', async () => {
  const { companyId } = await createTenant(app.db);
  const id = 900_000 + companyId;
  const file = `\u200Fid , item_type\u200E,name_en,name_ar\n\u200E${id}\u200F,\u2067product\u2069,Tea,\u200Fشاي\n`;
  const [, ...marked] = (await importText('items', file, '--company', `\u200E${companyId}\u200F`)).stdout.split(': ');
  expect(marked).toEqual(['1 added, 0 changed\n']);
  expect(await exportLines('items', '--company', String(companyId))).toContain(`${id},product,Tea,شاي`);
});

test('--delete-missing deletes up to the given number of rows, only of companies in the file', async () => {
  const [own, other] = [await createTenant(app.db), await createTenant(app.db)];
  const [heading = '', first = '', ...missing] = await exportLines('items', '--company', String(own.companyId));
  const file = `company_id,${heading}\n${own.companyId},${first}\n`;
  const others = await exportLines('items', '--company', String(other.companyId));
  expectFailure(
    await importText('items', file, '--delete-missing', String(missing.length - 1)),
    new RegExp(
      `^The import would delete ${missing.length} rows, but --delete-missing allows ${missing.length - 1}\\. No changes were made`,
    ),
  );
  const { stdout } = await importText('items', file, '--delete-missing', String(missing.length));
  expect(stdout).toBe(`1 row: 0 added, 0 changed, ${missing.length} deleted\n`);
  expect(await exportLines('items', '--company', String(own.companyId))).toEqual([heading, first]);
  const empty = await importText('items', `${heading}\n`, '--company', String(own.companyId), '--delete-missing', '1');
  expect(empty.stdout).toBe('0 rows: 0 added, 0 changed, 1 deleted\n');
  expect(await exportLines('items', '--company', String(other.companyId))).toEqual(others);
  expectFailure(await importText('tokens', '', '--delete-missing', '1'), /^--delete-missing does not apply to tokens/);
});

test('partners can swap their names, and tokens are imported as hashes', async () => {
  const [one, two] = [await createTenant(app.db), await createTenant(app.db)];
  const rows = [
    `${one.partnerId},${two.partnerName},${one.companyId}`,
    `${two.partnerId},${one.partnerName},${two.companyId}`,
  ];
  const { stdout } = await importText('partners', ['id,name,default_company_id', ...rows].join('\n'));
  expect(stdout).toBe('2 rows: 0 added, 2 changed\n');
  const token = 'an.old~token+of/1234==';
  const heading = 'partner_id,label,access,expires_at,token_hash';
  const file = `${heading}\n${one.partnerId},old,read_only,2999-01-31T12:00:00+03:00,${hashToken(token)}\n`;
  expect((await importText('tokens', file)).stdout).toBe('1 row: 1 added, 0 changed\n');
  expect((await app.client.graphql('{ partner { id } }', {}, { token })).status).toBe(200);
  expect((await list('token', 'list')).at(-1)).toMatchObject({ label: 'old', expires: '2999-01-31T09:00:00.000Z' });
  expectFailure(await importText('tokens', file), /Key \(token_hash\)=\(\w+\) already exists/);
});

const items = 'id,company_id,item_type,name_en,name_ar';
const tags = 'id,company_id,name_en,item_ids';
const branches = 'company_id,name_en,name_ar,city_id,service_ids';
const cities = 'id,code,country_id,name_en,name_ar';
test.each<[list: string, lines: string[], says: string[]]>([
  ['items', [], ['line 1: the file has no heading']],
  ['items', ['id,name,name_ar,id'], ['line 1: unknown column name; the columns are id, company_id']],
  ['items', [`${items},id`], ['line 1: a column is repeated']],
  ['items', ['id,company_id,item_type,name_en'], ['line 1: the column name_ar is missing']],
  ['items', [items, '1,1,product,Tea'], ['line 2: the line has 4 cells, but the heading has 5']],
  ['items', [items, '', ',1,product,"Tea', ',1,product,Sugar,سكر', ''], ['line 3: a quote is not closed']],
  ['items', [items, ',1,product,"6" pizza",بيتزا'], ['line 2: quote a cell that contains quotes']],
  ['items', [items, '0,1,product,Tea,شاي'], ['line 2, id: must be a whole number from 1 to']],
  ['items', [items, '70,1,dish,Tea,شاي'], ['line 2, item_type: must be product or modifier_group or modifier']],
  ['items', [items, '70,1,product, ,شاي\uFFFD'], ['line 2, name_en: is required', 'line 2, name_ar: has control']],
  ['items', [items, '70,999,product,Tea,شاي'], ['line 2, company_id: companies has no id 999']],
  ['items', [items, '1,2,product,Tea,شاي'], ['line 2, id: 1 is of company 1']],
  ['items', [items, '70,1,product,A,ا', '70,1,product,B,ب'], ['line 3, id: 70 is also on line 2']],
  ['items', [items, '1,1,modifier,Tea,شاي'], ['line 2, item_type: a tagged item']],
  ['items', [items, ',1,product,New,ا', ',1,product,New,ا'], ['line 3: is the same as line 2']],
  ['items', [items, ',1,product,Tea,شاي', ',1,dish,A,ا'], ['line 3, item_type: must be']],
  ['tags', [tags, '70,1,Hi,1', '71,1,Spicy,1;x'], ['line 2, name_en: must have 3', 'line 3, item_ids: must be']],
  ['tags', [tags, '70,1,Spicy,1;999999'], ['line 2, item_ids: 999999 is not a product of the company']],
  ['branches', [branches, '1,A,ا,9999,99'], ['line 2, city_id: cities has no id', 'line 2, service_ids: services has']],
  ['tokens', ['partner_id,access,token_hash', '1,all,abc'], ['line 2, access: must be', 'line 2, token_hash: must be']],
  ['cities', [cities, '5,saruh,682,A,ا'], ['The database rejected .* Key \\(code\\)=\\(saruh\\) already exists']],
])('lists errors by line, and imports nothing: %s %j', async (name, lines, says) => {
  const before = await print('export', name);
  const rejected = await importText(name, lines.join('\n'));
  expectFailure(rejected, new RegExp(says.map((line) => `^${line}.*\n`).join('(?:.*\n)*?'), 'm'));
  expect(await print('export', name)).toBe(before);
});

test('rejects an equal item without an id', async () => {
  const { companyId } = await createTenant(app.db);
  const file = 'item_type,name_en,name_ar\nproduct,Mint tea,شاي بالنعناع\nmodifier,Sugar,سكر\n';
  const company = ['--company', String(companyId)];
  expect((await importText('items', file, ...company)).stdout).toBe('2 rows: 2 added, 0 changed\n');
  expectFailure(
    await importText('items', file, ...company),
    /^line 2: is the same as item \d+; to add it, give it an id$/m,
  );
});

test('lists at most 1,000 errors', async () => {
  const rows = Array.from({ length: 3_000 }, () => '70,1,dish,Tea,شاي');
  const { stderr } = await importText('items', [items, ...rows].join('\n'));
  expect(stderr.split('\n')).toHaveLength(1_002);
  expect(stderr).toMatch(/\nThese are the first 1000 errors\. No changes were made\.\n$/);
});

test('imports many tags from standard input, and analyzes their tables', async () => {
  const { companyId, products } = await createTenant(app.db, { products: 1_000 });
  const rows = Array.from({ length: 6_000 }, (_, tag) => {
    const linked = Array.from({ length: 10 }, (_, item) => products[(tag + item * 97) % products.length]);
    return `${2_000_000 + tag},Tag ${tag},${linked.join(';')}`;
  });
  const content = ['id,name_en,item_ids', ...rows].join('\r\n');
  const child = spawnAdmin(database.env, ['import', 'tags', '-', '--company', String(companyId)], `\uFEFF${content}`);
  expect(await child.exited).toBe(0);
  expect(child.stdout).toBe('6000 rows: 6000 added, 0 changed, 60000 linked, 0 unlinked\n');
  const { rows: tables } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where relname = 'product_taggings'`.execute(app.db);
  expect(tables[0]?.reltuples).toBeGreaterThan(50_000);
});
