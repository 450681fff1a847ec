import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normalizeName } from '../../src/kernel/localization/name.ts';
import { databaseUrl, execute, startInstalledPostgres } from '../../test/support/postgres-server.ts';
import { createAdmin } from '../../test/support/process.ts';
import { lacks } from '../../test/support/programs.ts';
import { runCommands } from '../../test/support/shell.ts';
import { useFolder } from '../../test/support/test-app.ts';
import { copyTakeover } from './copy-takeover.ts';

const folder = await useFolder();

/** As `rails db:schema:load` makes it: no foreign keys, and ids, time stamps and join tables of Rails. */
const rows = ['created_at timestamp not null default now()', 'updated_at timestamp not null default now()'].join(', ');
const tables = {
  nations: 'iso_code varchar, phone_prefix varchar, name_en varchar, name_ar varchar',
  towns: 'slug varchar, nation_id bigint, name_en varchar, name_ar varchar',
  zones: 'zone varchar',
  fulfilments: 'slug varchar, name_en varchar, name_ar varchar',
  brand_kinds: 'name_en varchar, name_ar varchar',
  cuisines: 'name_en varchar, name_ar varchar',
  apps: 'title varchar',
  restaurants:
    'title_en varchar, title_ar varchar, street varchar, town_id bigint, disabled_at timestamp, deleted_at timestamp',
  outlets:
    'restaurant_id bigint, title_en varchar, title_ar varchar, street varchar, town_id bigint, deleted_at timestamp',
  outlet_fulfilments: 'outlet_id bigint, fulfilment_id bigint',
  clients: 'name varchar, restaurant_id bigint, disabled_at timestamp, deleted_at timestamp',
  api_keys: 'client_id bigint, note varchar, digest varchar, expires_at timestamp, revoked_at timestamp',
  dishes: 'restaurant_id bigint, kind varchar, title_en varchar, title_ar varchar, deleted_at timestamp',
  labels: 'restaurant_id bigint, title_en varchar, title_ar varchar, deleted_at timestamp',
  dish_labels: 'label_id bigint, dish_id bigint',
};
const [digest, other] = ['a'.repeat(64), 'b'.repeat(64)];

/** What the import accepts, as the views export it. */
const accepted = String.raw`
  insert into nations (id, iso_code, phone_prefix, name_en, name_ar) values (682, 'SA', '+966', 'Saudi Arabia', 'السعودية');
  insert into towns (id, slug, nation_id, name_en, name_ar) values (535, 'saruh', 682, 'Riyadh', 'الرياض');
  insert into zones (id, zone) values (1, 'Asia/Riyadh');
  insert into fulfilments (id, slug, name_en, name_ar) values (1, 'dine_in', 'Dine in', 'محلي'), (2, 'delivery', 'D', 'د');
  insert into brand_kinds (id, name_en, name_ar) values (1, 'Cafe', 'مقهى');
  insert into cuisines (id, name_en, name_ar) values (1, 'Najdi', 'نجدي');
  insert into apps (id, title) values (1, 'App');
  insert into restaurants (id, title_en, title_ar, street, town_id, disabled_at, deleted_at) values
    (1, E'\u200B Palm\u00A0', null, ' ', 535, null, null), (2, 'Reef', 'ريف', 'Street 1', 535, '2026-01-02 03:04:05.678', null),
    (3, 'Gone', null, null, 99, null, now());
  insert into outlets (id, restaurant_id, title_en, title_ar, town_id, deleted_at) values
    (1, 1, 'Olaya', '', 535, null), (2, 1, 'Gone', null, 99, now()), (3, 3, 'Of a deleted one', null, 99, null);
  insert into outlet_fulfilments (outlet_id, fulfilment_id) values (1, 2), (1, 1), (1, 2);
  insert into clients (id, name, restaurant_id, disabled_at, deleted_at) values
    (1, E'Palm Partner\u200E', 1, '2026-01-02 03:04:05', null), (2, 'Gone', 3, null, now());
  insert into api_keys (id, client_id, note, digest, created_at, expires_at) values
    (1, 1, '', '${digest}', '2025-01-01', '2999-01-31 12:00:00'), (2, 2, 'of a deleted one', 'none', now(), null);
  insert into dishes (id, restaurant_id, kind, title_en, title_ar, deleted_at) values
    (10, 1, 'product', 'Tea', null, null), (11, 1, 'product', 'Gone', null, now()), (12, 1, 'modifier', 'Sugar', 'سكر', null),
    (13, 2, 'product', 'Tea', 'شاي', null), (14, 3, 'dish', 'Of a deleted one', null, null);
  insert into labels (id, restaurant_id, title_en, title_ar, deleted_at) values
    (20, 1, E'Spicy \u3000', '', null), (21, 1, 'x', null, now()), (22, 3, 'x', null, null);
  insert into dish_labels (label_id, dish_id) values (20, 10), (20, 10), (20, 11), (20, 9999), (21, 13);
`;

/** Rows that the import rejects, by file: how to plant them, where the errors are, and how to correct them. */
const rejected: Record<string, [plant: string, errors: string[], correct: string]> = {
  countries: [
    "insert into nations values (900, 'xx', '966', 'A', 'ا'), (901, 'SA', '+1', '', 'ب')",
    ['900 dial_code', '900 short_code', '901 name_en', '901 short_code'],
    'delete from nations where id >= 900',
  ],
  cities: [
    "insert into towns values (900, 'a b', 682, 'A', 'ا'), (901, 'saruh', 682, 'A', 'ا'), (902, 'c', 5, 'A', 'ا')",
    ['900 code', '901 code', '902 country_id'],
    'delete from towns where id >= 900',
  ],
  timezones: ["insert into zones values (900, 'Asia/Atlantis')", ['900 name'], 'delete from zones where id >= 900'],
  services: [
    "insert into fulfilments values (900, 'dine in', 'A', null)",
    ['900 code', '900 name_ar'],
    'delete from fulfilments where id >= 900',
  ],
  brand_types: [
    "insert into brand_kinds values (900, E'a\\u0007b', 'ا')",
    ['900 name_en'],
    'delete from brand_kinds where id >= 900',
  ],
  cuisine_types: [
    "insert into cuisines values (900, repeat('x', 256), 'ا')",
    ['900 name_en'],
    'delete from cuisines where id >= 900',
  ],
  applications: ["insert into apps values (900, E'\\u00AD')", ['900 name'], 'delete from apps where id >= 900'],
  companies: [
    `insert into restaurants values (3000000000, 'A', null, E'a\\nb', 535, null), (901, 'B', 'ب', 'c', 99, null), (902, 'C', 'ج', 'd', 535, '20000-01-01')`,
    ['3000000000 address_line', '3000000000 id', '901 city_id', '902 suspended_at'],
    'delete from restaurants where id > 900',
  ],
  branches: [
    `insert into outlets values (900, 1, 'A', null, null, 99); insert into outlet_fulfilments values (900, 98), (900, 99)`,
    ['900 city_id', '900 service_ids'],
    'delete from outlets where id = 900',
  ],
  partners: [
    `insert into clients values (900, 'Palm Partner', 1), (901, 'B', 3)`,
    ['900 name', '901 default_company_id'],
    'delete from clients where id >= 900',
  ],
  tokens: [
    `insert into api_keys values (900, 1, '', '${digest.toUpperCase()}', null), (901, 1, repeat('x', 256), 'short', null),
      (902, 1, '', '${other}', '20000-01-01')`,
    ['900 token_hash', '901 label', '901 token_hash', '902 expires_at'],
    'delete from api_keys where id >= 900',
  ],
  items: [
    `insert into dishes values (900, 1, 'dish', 'A', null), (901, 1, 'product', E'a\\u2028b', 'ا')`,
    ['900 item_type', '901 name_en'],
    'delete from dishes where id >= 900',
  ],
  tags: [
    `insert into labels values (900, 1, 'ab', repeat('x', 51)), (901, 1, 'Name', null), (902, 1, 'Name', null);
      insert into dish_labels values (901, 12), (902, 13)`,
    ['900 name_ar', '900 name_en', '901 item_ids', '902 item_ids'],
    'delete from labels where id >= 900',
  ],
};

interface Exported {
  info: { lines: number };
  record: string[];
}

describe.skipIf(lacks('initdb', 'psql'))('a Rails database', () => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());
  let urls: Record<'OLD_DATABASE_URL' | 'DATABASE_URL', string>;
  const run = (commands: string) => runCommands(commands, folder, urls);
  const onOld = (statements: string) => execute(urls.OLD_DATABASE_URL, `set search_path to legacy; ${statements}`);
  const listRejected = async (): Promise<Record<string, string>[]> => {
    const files = '--file=takeover/views.sql --file=takeover/rejected.sql';
    return parse(await run(`psql "$OLD_DATABASE_URL" --no-psqlrc --quiet --csv ${files}`), { columns: true });
  };
  beforeAll(async () => {
    const server = cleanup.use(await startInstalledPostgres());
    for (const name of ['old', 'new']) await execute(server.url, `create database ${name}`);
    urls = { OLD_DATABASE_URL: databaseUrl(server.url, 'old'), DATABASE_URL: databaseUrl(server.url, 'new') };
    await copyTakeover(folder);
    await execute(urls.OLD_DATABASE_URL, 'create schema legacy');
    const create = Object.entries(tables).map(([name, columns]) => {
      const id = name.includes('_fulfilments') || name === 'dish_labels' ? '' : 'id bigint primary key, ';
      return `create table ${name} (${id}${columns}, ${rows})`;
    });
    await onOld(create.join(';\n'));
    await onOld(accepted);
  });

  test('names are trimmed of the same characters as by the import', async () => {
    const [start, end] = [0xd800, 0xdfff];
    const trimmed = `select c from generate_series(1, 1114111) as c where c not between ${start} and ${end}
      and pg_temp.cleaned(chr(c) || 'a' || chr(c)) = 'a'`;
    const psql = 'psql "$OLD_DATABASE_URL" --no-psqlrc --quiet --tuples-only --no-align --file=takeover/views.sql';
    const found = (await run(`${psql} --command="${trimmed}"`)).trim().split('\n').map(Number);
    const characters = Array.from({ length: 0x10ffff }, (_, index) => index + 1);
    const expected = characters.filter((code) => {
      if (code >= start && code <= end) return false;
      const character = String.fromCodePoint(code);
      return normalizeName(`${character}a${character}`) === 'a';
    });
    expect(expected.length).toBeGreaterThan(3_000);
    expect(found).toEqual(expected);
  });

  test('the query finds what the import rejects, and nothing else', async () => {
    expect(await listRejected()).toEqual([]);
    for (const [plant] of Object.values(rejected)) await onOld(plant);
    const listed = Map.groupBy(await listRejected(), ({ file }) => file);
    const admin = createAdmin({ DATABASE_URL: urls.DATABASE_URL });
    await admin.print('migrate');
    for (const [file, [, errors, correct]] of Object.entries(rejected)) {
      const found = listed.get(file)?.map(({ id, column }) => `${id} ${column}`);
      expect(found?.toSorted(), file).toEqual(errors);
      await run('bash takeover/export.sh export');
      const path = join(folder, 'export', `${file}.csv`);
      const failed = await admin.run('import', file, path);
      expect(failed.code).toBe(1);
      const exported = parse(await readFile(path, 'utf8'), { info: true }) as unknown as Exported[];
      const ids = new Map(exported.map(({ info, record }) => [info.lines, record[0]]));
      const named = [...failed.stderr.matchAll(/^line (\d+), (\w+): /gm)].map(
        ([, line, column]) => `${ids.get(Number(line))} ${column}`,
      );
      // The database itself finds these, once nothing else is wrong.
      const shared = listed.get(file)?.filter(({ error }) => error === 'is taken by a row with a lower id');
      const all = [...named, ...(shared ?? []).map(({ id, column }) => `${id} ${column}`)];
      expect([...new Set(all)].toSorted(), file).toEqual(errors);

      await onOld(correct);
      await run('bash takeover/export.sh export');
      await admin.print('import', file, path);
    }
    expect(await listRejected()).toEqual([]);
  });

  test('is imported without deleted rows, repeated links and missing names, and compared', async () => {
    expect(await run('bash takeover/import.sh export 1')).toContain('Both services have the same rows');
    const read = (name: string) => readFile(join(folder, 'here', `${name}.csv`), 'utf8');
    expect(await read('companies')).toBe(
      'id,name_en,name_ar,address_line,city_id,suspended_at\n' +
        '1,Palm,Palm,,535,\n2,Reef,ريف,Street 1,535,2026-01-02T03:04:05.678+00:00\n',
    );
    expect(await read('branches')).toContain('\n1,1,Olaya,Olaya,,535,1;2\n');
    expect(await read('partners')).toContain('\n1,Palm Partner,1,2026-01-02T03:04:05+00:00\n');
    expect(await read('tokens')).toContain(`\n1,1,,full,2999-01-31T12:00:00+00:00,,${digest}\n`);
    expect((await read('items')).split('\n').slice(1)).toEqual([
      '10,1,product,Tea,Tea',
      '12,1,modifier,Sugar,سكر',
      '13,2,product,Tea,شاي',
      '',
    ]);
    expect(await read('tags')).toMatch(/^id,.*\n20,1,Spicy,,10\n$/);
  });

  test('the comparison that a difference suggests has the columns of the old file alone', async () => {
    await onOld("update labels set title_en = 'Mild' where id = 20");
    await run('bash takeover/export.sh export tags');
    const compare = run('bash takeover/compare-rows.sh export here partners tags');
    const message = await compare.catch(({ stderr }) => stderr);
    const [, suggested] = /^The tags differ: (diff .*)$/m.exec(message) ?? [];
    expect(await run(`${suggested} || true`)).toBe('2c2\n< 20,1,Mild,,10\n---\n> 20,1,Spicy,,10\n');
    await writeFile(join(folder, 'export/items.csv'), 'name_en,id\nTea,10\nSugar,12\nTea,13\n');
    expect(await run('bash takeover/compare-rows.sh export here items')).toBe(
      'Both services have the same rows: items.\n',
    );
  });
});
