import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { adminOf, expectRefusal, runAdminProcess } from '../support/process.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { run, print, list } = adminOf(database.env);
const inRiyadh = ['--city', 'saruh'];

test('a company with a branch and a partner is made, listed and served', async () => {
  const named = ['--name-en', 'Palm Kitchen 2', '--name-ar', ' مطبخٌ '];
  const company = await print('company', 'create', ...named, '--city', 'sa-jeddah');
  const services = ['--address', 'Olaya Street 8', '--services', 'pick_up', 'dine_in'];
  await print('branch', 'create', '--company', company, '--name-en', 'A', '--name-ar', 'ا', ...inRiyadh, ...services);
  const partner = await print('partner', 'create', '--name', 'شريك النخلة', '--company', company);
  const issue = ['token', 'issue', '--partner', 'شريك النخلة'];
  const token = await print(...issue, '--days', '30');
  const { issued, expires } = (await list('token', 'list')).at(-1);
  expect(Date.parse(expires) - Date.parse(issued)).toBe(30 * 24 * 60 * 60 * 1000);
  const own = { company_id: +company, company_name_en: 'Palm Kitchen 2', company_name_ar: 'مطبخٌ' };
  expect(await list('partner', 'list')).toContainEqual({
    ...{ id: +partner, name: 'شريك النخلة', live_tokens: 1, ...own, suspended_at: null },
  });

  await using app = await startApp(database.env);
  const document = `{ partner { name }
      company { nameAr address { line city { nameEn } } branches { nodes { services { code } } } } }`;
  const { body } = await app.client.graphql(document, {}, { token });
  expect(body.data).toEqual({
    partner: { name: 'شريك النخلة' },
    company: {
      nameAr: 'مطبخٌ',
      address: { line: null, city: { nameEn: 'Jeddah' } },
      branches: { nodes: [{ services: [{ code: 'dine_in' }, { code: 'pick_up' }] }] },
    },
  });
});

const named = ['--name-en', 'Palm', '--name-ar', 'نخلة'];
test.each([
  [['company', 'create', ...named, '--city', 'atlantis'], /"atlantis".*city list/],
  [['partner', 'create', '--name', 'Palm', '--company', '999'], /company 999.*company list/],
  [['partner', 'create', '--name', 'Demo Partner', '--company', '1'], /"Demo Partner" already/],
  [['partner', 'suspend', 'Unknown & Sons'], /no partner "Unknown & Sons"/],
  [['branch', 'list', '--company', '999'], /company 999/],
  [
    ['branch', 'create', '--company', '1', ...named, ...inRiyadh, '--services', 'dine_in', 'fly_in'],
    /"fly_in".*dine_in, delivery, pick_up, curbside/,
  ],
  [['branch', 'update', '1', '--company', '2', '--name-en', 'C'], /no branch 1/],
  [['token', 'issue', '--partner', 'Unknown & Sons'], /no partner "Unknown & Sons"/],
  [['token', 'revoke', '999999999'], /no token 999999999/],
])('%j is rejected by name, and nothing is made', async (args, says) => {
  const state = async () => [await list('company', 'list'), await list('branch', 'list', '--company', '1')];
  const before = await state();
  expectRefusal(await run(...args), says);
  expect(await state()).toEqual(before);
});

test('tokens are issued, full and read-only, however many a partner has; a revoked one ends', async () => {
  await using app = await startApp(database.env);
  const { partnerName: partner } = await createTenant(app.db);
  const issue = (...options: string[]) =>
    runAdminProcess(database.env, 'token', 'issue', '--partner', partner, ...options);
  const full = await issue('--label', 'checkout', '--days', '30');
  const readOnly = await issue('--label', 'mirror', '--read-only');
  for (const { code, stdout } of [full, readOnly])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^pp_[\w-]{43}\n$/)]);
  const note = /^Token (\d+) is shown only this once\. It expires on (\d{4}-\d\d-\d\d)\.\n$/;
  const [, id = '', expires = ''] = note.exec(full.stderr) ?? [];
  const listed = async () =>
    (await list('token', 'list')).filter((each: { partner: string }) => each.partner === partner).slice(1);
  expect(await listed()).toMatchObject([
    { id: Number(id), label: 'checkout', access: 'full', state: 'live', expires: expect.stringContaining(expires) },
    { label: 'mirror', access: 'read_only', state: 'live' },
  ]);
  const statuses = async ({ stdout }: { stdout: string }) => {
    const options = { token: stdout.trim(), body: { name_en: 'Spicy' } };
    const { status: read } = await app.client.graphql('{ partner { id } }', {}, options);
    return [read, (await app.client.rest('POST', '/product_tags', options)).status];
  };
  expect(await statuses(full)).toEqual([200, 201]);
  expect(await statuses(readOnly)).toEqual([200, 403]);
  expect(await print('token', 'revoke', id)).toBe(`Token ${id} is revoked.`);
  expect(await statuses(full)).toEqual([401, 401]);
  expect(await listed()).toMatchObject([{ state: 'revoked' }, { state: 'live' }]);
  expect(JSON.stringify(await list('log'))).not.toContain(full.stdout.trim());
});

test('partners and cities with the highest ids are found by them', async () => {
  await using app = await startApp(database.env);
  const { companyId, partnerId } = await createTenant(app.db);
  const cityColumns = ['--code', 'highest', '--country-id', '682', '--name-en', 'Highest', '--name-ar', 'الأعلى'];
  const [partner, city] = [2_000_000_000, 1_999_999_999];
  await sql`delete from partner_tokens where partner_id = ${partnerId}`.execute(app.db);
  await sql`update partners set id = ${partner} where id = ${partnerId}`.execute(app.db);
  await print('reference', 'set', 'cities', '--id', `${city}`, ...cityColumns);
  expect(await print('partner', 'rename', `${partner}`, 'Highest')).toContain(`Partner ${partner} is now "Highest"`);
  await print('company', 'update', `${companyId}`, '--city', `${city}`);
  expectRefusal(await run('partner', 'suspend', '2147483648'), /^There is no partner "2147483648"/);
});

test('names are found in any case, and mistyped ones get a suggestion', async () => {
  const admin = (...args: string[]) => runAdminProcess(database.env, ...args);
  for (const name of ['Straße Partner', 'UPPER one', 'upper One'])
    await print('partner', 'create', '--name', name, '--company', '1');
  expect(await admin('partner', 'suspend', 'STRAßE partner')).toMatchObject({ code: 0 });
  expect(await admin('partner', 'suspend', 'upper One')).toMatchObject({ code: 0 });
  const suspended = (await list('partner', 'list')).filter(
    (each: { suspended_at: string | null }) => each.suspended_at,
  );
  expect(suspended.map(({ name }: { name: string }) => name)).toEqual(['Straße Partner', 'upper One']);
  expectRefusal(
    await admin('partner', 'resume', 'Upper One'),
    /^"Upper One" is ambiguous: there are "UPPER one" and "upper One"/,
  );
  expectRefusal(
    await admin('partner', 'resume', 'Strase'),
    /^There is no partner "Strase"\. Did you mean "Straße Partner"\?/,
  );
  const place = ['--company', '1', '--name-en', 'A', '--name-ar', 'ا', '--city', 'SARUH'];
  const branch = await admin('branch', 'create', ...place, '--services', 'Dine_In', 'DELIVERY');
  expect(branch).toMatchObject({ code: 0 });
  expect(await list('branch', 'list', '--company', '1')).toContainEqual(
    expect.objectContaining({ id: Number(branch.stdout), city: 'Riyadh', services: 'dine_in delivery' }),
  );
  const unknown = await admin('branch', 'create', ...place, '--services', 'dinein');
  expectRefusal(unknown, /^There is no service "dinein"\. Did you mean "dine_in"\? The services are/);
});

test('files that cannot be used are sentences', async () => {
  for (const [args, says] of [
    [['item', 'import', 'none.csv'], /^The file none\.csv cannot be used: no such file or directory\.\n$/],
    [['item', 'import', 'src'], /^The file src cannot be used: illegal operation on a directory\.\n$/],
    [['item', 'export', '/dev/full'], /^The file \/dev\/full cannot be used: no space left on device\.\n$/],
    [
      ['item', 'import', 'package.json', '--mistakes', '/dev/full'],
      /^The file \/dev\/full cannot be used: no space left on device\.\n$/,
    ],
    [['export', 'package.json'], /^The file package\.json cannot be used: file already exists\.\n$/],
  ] as const)
    expectRefusal(await runAdminProcess(database.env, ...args), says);
});

test('cities are listed with the code and the id that addresses take', async () => {
  const cities: { id: number; code: string; country: string }[] = await list('city', 'list', '--country', 'sa');
  expect(new Set(cities.map(({ country }) => country))).toEqual(new Set(['SA']));
  const id = String(cities.find(({ code }) => code === 'saruh')?.id);
  const company = await print('company', 'create', ...named, '--city', id);
  expect(await list('company', 'list')).toContainEqual(expect.objectContaining({ id: +company, city: 'Riyadh' }));
  expect(await list('city', 'list', '--country', 'bv')).toEqual([]);
  expect(await list('city', 'list', '--search', 'RIYADH')).toMatchObject([{ code: 'saruh' }]);
  const misspelled = await run('company', 'create', ...named, '--city', 'Riyad');
  expectRefusal(misspelled, /^There is no city "Riyad"\. Did you mean saruh \(Riyadh, SA\)\?/);
});

test('partners and companies are suspended, resumed and renamed, branches change; the log has names', async () => {
  await using app = await startApp(database.env);
  const tenant = await createTenant(app.db);
  const company = String(tenant.companyId);
  const status = async () => (await app.client.graphql('{ partner { id } }', {}, tenant)).status;
  for (const [noun, key] of [
    ['partner', tenant.partnerName],
    ['company', company],
  ] as const) {
    expect(await status()).toBe(200);
    await print(noun, 'suspend', key, '--as', 'Noura');
    expect(await status()).toBe(401);
    const suspended = expect.objectContaining({ partner: tenant.partnerName, state: 'suspended' });
    expect(await list('token', 'list')).toContainEqual(suspended);
    expect(await list(noun, 'resume', key)).toMatchObject({ suspended: false });
  }
  expect(await status()).toBe(200);

  await print('partner', 'create', '--name', 'Date Partner', '--company', company);
  expectRefusal(await run('partner', 'rename', tenant.partnerName, 'Date Partner'), /"Date Partner" already/);
  await print('partner', 'rename', String(tenant.partnerId), 'Renamed');
  await print('company', 'update', company, '--name-ar', 'اسم جديد', '--no-address', '--city', 'sa-jeddah');
  expect(await list('partner', 'list')).toContainEqual(
    expect.objectContaining({ name: 'Renamed', company_name_ar: 'اسم جديد' }),
  );

  const branches = () => list('branch', 'list', '--company', company);
  const address = [...inRiyadh, '--address', 'Street 1', '--services', 'dine_in'];
  const branch = await print('branch', 'create', '--company', company, '--name-en', 'A', '--name-ar', 'ا', ...address);
  const changes = ['--name-en', 'B', '--no-address', '--services', 'delivery'];
  await print('branch', 'update', branch, '--company', company, ...changes);
  expect(await branches()).toMatchObject([
    { id: +branch, city: 'Riyadh', address: null, services: 'delivery', name_en: 'B', name_ar: 'ا' },
  ]);
  await print('branch', 'remove', branch, '--company', company);
  expect(await branches()).toEqual([]);

  await sql`update partner_tokens set created_at = now() - interval '100 days', last_used_at = null
    where partner_id = ${tenant.partnerId}`.execute(app.db);
  expect(await list('token', 'list', '--unused-for', '90d')).toMatchObject([{ partner: 'Renamed' }]);
  const token = await print('token', 'issue', '--partner', 'Date Partner');

  const log: { command: string }[] = await list('log', '--limit', '11');
  expect(log.map(({ command }) => command).toReversed()).toEqual([
    ...['partner suspend', 'partner resume', 'company suspend', 'company resume'],
    ...[
      'partner create',
      'partner rename',
      'company update',
      'branch create',
      'branch update',
      'branch remove',
      'token issue',
    ],
  ]);
  expect(log[10]).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    by: 'Noura',
    command: 'partner suspend',
    details: { arguments: [tenant.partnerName], options: {}, result: { suspended: true } },
  });
  expect(JSON.stringify(log)).not.toContain(token);
  const table = await print('log', '--limit', '11');
  expect(table.split('\n').filter((line) => line.length > 100)).toEqual([]);
  expect(table).toContain('| Noura | partner suspend Partner ');
});

test('a change that was made before says so, keeps its time, and is not logged', async () => {
  await using app = await startApp(database.env);
  const tenant = await createTenant(app.db);
  const company = String(tenant.companyId);
  const partner = String(tenant.partnerId);
  const place = ['--company', company, '--name-en', 'A', '--name-ar', 'ا', ...inRiyadh, '--services', 'delivery'];
  const branch = await print('branch', 'create', ...place);
  const { id: token } = await list('token', 'issue', '--partner', partner);
  const times = async () => {
    const lists = [await list('partner', 'list'), await list('company', 'list')];
    return lists.flat().map((each: { suspended_at: string | null }) => each.suspended_at);
  };
  for (const command of [
    ['partner', 'suspend', partner],
    ['company', 'suspend', company],
    ['partner', 'resume', partner],
    ['company', 'resume', company],
    ['partner', 'rename', partner, 'Other name'],
    ['company', 'update', company, '--name-en', 'Other name', '--no-address'],
    ['branch', 'update', branch, '--company', company, '--address', 'Street 1'],
    ['branch', 'update', branch, '--company', company, '--services', 'dine_in', 'delivery'],
    ['branch', 'update', branch, '--company', company, '--no-services'],
    ['token', 'revoke', String(token)],
  ]) {
    const same = 'Nothing changed: it is so already.';
    expect(await print(...command)).not.toBe(same);
    const before = [await list('log'), await times()];
    expect(await print(...command)).toBe(same);
    expect(await list(...command)).toMatchObject({ unchanged: true });
    expect([await list('log'), await times()]).toEqual(before);
    expect(before[0]).toMatchObject([
      { command: command.slice(0, 2).join(' ') },
      ...Array(before[0].length - 1).fill({}),
    ]);
  }
});

test.skipIf(lacks('unshare'))('commands run for a user id without a name, and the log has the id', async () => {
  const as = ['--user', '--map-user=54321', process.execPath, 'dist/src/admin.js'];
  const env = { PATH: process.env.PATH, ...database.env };
  const run = (...args: string[]) => promisify(execFile)('unshare', [...as, ...args], { cwd: root, env });
  // Help wraps lines.
  expect((await run('--help')).stdout).toMatch(/\(ADMIN_USER; now\s+54321\)/);
  await run('company', 'create', ...named, ...inRiyadh);
  expect(await list('log', '--limit', '1')).toMatchObject([{ by: '54321', command: 'company create' }]);
});
