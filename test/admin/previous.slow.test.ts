import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminOf, expectRefusal, runAdminProcess } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();
const { run, print, list } = adminOf(database.env);

/** The rows of a company's items and tags, without the versions of tags. */
async function rowsOf(companyId: number): Promise<string[]> {
  const exported = ['item', 'tag'].map((noun) => print(noun, 'export', '--company', String(companyId)));
  return (await Promise.all(exported)).map((text) => text.replaceAll(/,[\da-f-]{36}/g, ''));
}

/** Runs the commands that an import has printed to bring its rows back. */
async function bringBack(stdout: string): Promise<void> {
  const commands = [...stdout.matchAll(/ (\w+) import '(.*)' --update$/gm)];
  for (const [, noun = '', path = ''] of commands) await print(noun, 'import', path, '--update');
}

async function createMenu() {
  const tenant = await createTenant(app.db);
  const [first, second, third] = tenant.products;
  const body = { name_en: 'Spicy', item_ids: [first, second] };
  for (const item_ids of [[first, second], [third]])
    await app.client.rest('POST', '/product_tags', { token: tenant.token, body: { ...body, item_ids } });
  return { ...tenant, company: ['--company', String(tenant.companyId)] };
}

async function importText(noun: string, text: string, ...options: string[]) {
  const file = join(folder, `${noun}.csv`);
  await writeFile(file, text);
  return run(noun, 'import', file, ...options);
}

test('--previous has the rows that --update changed, and the log their ids', async () => {
  const { companyId, company, products } = await createMenu();
  const [first = 0, second = 0] = products;
  const before = await rowsOf(companyId);
  const previous = join(folder, "chef's items.csv");
  const rows = [`${first},product,Renamed,اسم`, `${second},product,product 1,صنف 1`, ',product,Added,صنف'];
  const text = ['id,item_type,name_en,name_ar', ...rows].join('\n');

  const trial = await importText('item', text, ...company, '--update', '--dry-run', '--previous', previous);
  expect(trial.stdout).toBe('Nothing was written. It would be:\n1 added, 1 changed, 1 unchanged\n');
  expect(existsSync(previous)).toBe(false);
  const { stdout } = await importText('item', text, ...company, '--update', '--previous', previous);
  expect(stdout).toContain(`\n${previous} has the rows as they were.`);
  expect(stdout).toContain(` item import '${previous.replace("'", "'\\''")}' --update\n`);
  expect(await readFile(previous, 'utf8')).toBe(
    `id,company_id,item_type,name_en,name_ar\n${first},${companyId},product,product 0,صنف 0\n`,
  );
  expect((await stat(previous)).mode & 0o777).toBe(0o600);
  const [entry] = await list('log', '--limit', '1');
  expect(entry.details.result.imported_ids).toEqual({ added: [expect.any(Number)], changed: [first] });

  const again = await importText('item', text, ...company, '--update', '--previous', previous);
  expectRefusal(again, /^--previous would replace .*, which exists\. Choose another path\./);
  await print('item', 'import', previous, '--update');
  await print('item', 'remove', String(entry.details.result.imported_ids.added[0]), ...company);
  expect(await rowsOf(companyId)).toEqual(before);
});

test('--previous of --retire brings retired tags back, and retired items with their tags', async () => {
  const { companyId, company, products } = await createMenu();
  const before = await rowsOf(companyId);
  const [, tags = ''] = before;
  const [heading, kept = '', retired = ''] = tags.split('\n');
  const previous = join(folder, 'tags as they were.csv');
  const options = [...company, '--update', '--retire', '10', '--previous'];
  const tagImport = await importText('tag', `${heading?.replace(',version', '')}\n${kept}\n`, ...options, previous);
  expect(tagImport.stdout).toContain('0 added, 0 changed, 1 unchanged, 1 retired, 2 links\n');
  const [entry] = await list('log', '--limit', '1');
  expect(entry.details.result.imported_ids).toEqual({
    added: [],
    changed: [],
    retired: [Number(retired.split(',')[0])],
  });
  await bringBack(tagImport.stdout);
  expect(await rowsOf(companyId)).toEqual(before);

  const both = join(folder, 'items as they were');
  const item = `id,item_type,name_en,name_ar\n${products[2]},product,Renamed,اسم\n`;
  const itemImport = await importText('item', item, ...options, both);
  expect(itemImport.stdout).toContain('0 added, 1 changed, 0 unchanged, 6 retired\n');
  expect((await stat(both)).mode & 0o777).toBe(0o700);
  expect((await readdir(both)).toSorted()).toEqual(['items.csv', 'tags.csv']);
  // The tag that keeps all of its items is not there.
  expect((await readFile(join(both, 'tags.csv'), 'utf8')).trimEnd().split('\n')).toHaveLength(2);
  await bringBack(itemImport.stdout);
  expect(await rowsOf(companyId)).toEqual(before);
});

test('--previous of an import that only adds rows writes nothing and prints no way back', async () => {
  const { company } = await createMenu();
  for (const [noun, text] of [
    ['item', 'id,item_type,name_en,name_ar\n,product,Added,صنف\n'],
    ['tag', 'id,name_en,name_ar,item_ids\n1999999,Added,,\n'],
  ] as const) {
    const previous = join(folder, `nothing of ${noun}`);
    const { stdout, stderr } = await importText(noun, text, ...company, '--update', '--previous', previous);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^1 added, 0 changed, 0 unchanged.*\n.* is not written: no row was changed or removed\.\n$/);
    expect(existsSync(previous)).toBe(false);
  }
});

test('an import that fails leaves no file, and one that is tried twice the rows before the second time', async () => {
  const { companyId, company, products } = await createMenu();
  const previous = join(folder, 'second try');
  const text = `id,item_type,name_en,name_ar\n${products[0]},product,Renamed,اسم\n`;
  const options = [...company, '--update', '--previous', previous];
  expectRefusal(await importText('item', text, ...options, '--retire', '1'), /^6 items would be retired/);
  expect(existsSync(previous)).toBe(false);

  // A sequence keeps its value after the rollback. The first try fails after it has written the file.
  await sql`create sequence tries`.execute(app.db);
  await sql`create function fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('tries') = 1 then raise sqlstate '40001'; end if;
      return new;
    end
  $$`.execute(app.db);
  await sql`create trigger fails_once before update of name_en on items for each row execute function fail_once()`.execute(
    app.db,
  );
  const file = join(folder, 'twice.csv');
  await writeFile(file, text);
  const { code, stdout } = await runAdminProcess(database.env, 'item', 'import', file, ...options);
  await sql`drop trigger fails_once on items`.execute(app.db);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('0 added, 1 changed, 0 unchanged\n') });
  expect(stdout.match(/ import /g)).toHaveLength(1);
  expect(await readFile(previous, 'utf8')).toContain(`\n${products[0]},${companyId},product,product 0,صنف 0\n`);
});
