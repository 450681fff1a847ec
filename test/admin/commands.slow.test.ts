import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminOf, expectRefusal } from '../support/process.ts';
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

  await print(...issue);
  expectRefusal(await run(...issue), /2 live tokens/);

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
  [['token', 'issue', '--partner', 'Unknown & Sons'], /no partner named "Unknown & Sons"/],
  [['token', 'revoke', '999999999'], /no token 999999999/],
])('%j is rejected by name, and nothing is made', async (args, says) => {
  const state = async () => [await list('company', 'list'), await list('branch', 'list', '--company', '1')];
  const before = await state();
  expectRefusal(await run(...args), says);
  expect(await state()).toEqual(before);
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
    ...['partner suspend', 'partner resume', 'company suspend', 'company resume', 'partner create', 'partner rename'],
    ...['company update', 'branch create', 'branch update', 'branch remove', 'token issue'],
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
