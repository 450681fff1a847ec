import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { copyTemplate, startApp, use } from '../support/app.ts';
import { expectRefusal, runAdmin } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';

const database = use(await copyTemplate());

const admin = (...args: string[]) => runAdmin(database.env, ...args);

/** The lines of a list, as the cells of each. */
async function rows(...args: string[]): Promise<string[][]> {
  const { code, stdout, stderr } = await admin(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
}

test('a company with a branch and a partner is made, listed and served', async () => {
  const named = ['--name-en', 'Palm Kitchen 2', '--name-ar', ' مطبخٌ '];
  const company = await idOf('company', 'create', ...named, '--city', 'sa-jeddah');
  const branch = await idOf(
    ...['branch', 'create', '--company', company, '--name-en', 'Olaya', '--name-ar', 'العليا', '--city', 'saruh'],
    ...['--address', 'Olaya Street 8', '--services', 'pick_up', 'dine_in'],
  );
  const partner = await idOf('partner', 'create', '--name', 'شريك النخلة', '--company', company);

  expect(await rows('company', 'list')).toContainEqual([company, 'SA', 'Jeddah', '', 'Palm Kitchen 2', 'مطبخٌ', '']);
  expect(await rows('branch', 'list', '--company', company)).toEqual([
    [branch, 'SA', 'Riyadh', 'Olaya Street 8', 'dine_in pick_up', 'Olaya', 'العليا'],
  ]);
  const token = (await admin('token', 'issue', '--partner', 'شريك النخلة')).stdout.trim();
  const listed = [partner, 'شريك النخلة', '1', company, 'Palm Kitchen 2', 'مطبخٌ', ''];
  expect(await rows('partner', 'list')).toContainEqual(listed);

  await using app = await startApp(database.env);
  const { body } = await app.client.graphql(
    '{ viewer { partner { name } company { nameEn nameAr address { line city { nameEn } } branches { nameEn services { code } } } } }',
    {},
    { token },
  );
  expect(body.data?.viewer).toEqual({
    partner: { name: 'شريك النخلة' },
    company: {
      nameEn: 'Palm Kitchen 2',
      nameAr: 'مطبخٌ',
      address: { line: null, city: { nameEn: 'Jeddah' } },
      branches: [{ nameEn: 'Olaya', services: [{ code: 'dine_in' }, { code: 'pick_up' }] }],
    },
  });
});

test('what is not there is refused by name, and nothing is made', async () => {
  const before = await rows('company', 'list');
  const named = ['--name-en', 'Palm', '--name-ar', 'نخلة'];
  expectRefusal(await admin('company', 'create', ...named, '--city', 'atlantis'), /"atlantis".*city list/);
  expectRefusal(await admin('partner', 'create', '--name', 'Palm', '--company', '999'), /company 999.*company list/);
  expectRefusal(await admin('branch', 'list', '--company', '999'), /company 999/);
  const branch = ['branch', 'create', '--company', '1', ...named, '--city', 'saruh', '--services', 'dine_in', 'fly_in'];
  expectRefusal(await admin(...branch), /"fly_in".*dine_in, delivery, pick_up, curbside/);
  expectRefusal(await admin('partner', 'create', '--name', 'Demo Partner', '--company', '1'), /"Demo Partner" already/);
  expect(await rows('company', 'list')).toEqual(before);
  expect((await rows('branch', 'list', '--company', '1')).map(([, , , , , name]) => name)).not.toContain('Palm');
});

test('cities are listed with the code and the id that addresses take', async () => {
  const cities = await rows('city', 'list', '--country', 'sa');
  expect(new Set(cities.map(([, , country]) => country))).toEqual(new Set(['SA']));
  const [id = ''] = cities.find(([, code]) => code === 'saruh') ?? [];
  const company = await idOf('company', 'create', '--name-en', 'By id', '--name-ar', 'برقم', '--city', id);
  expect(await rows('company', 'list')).toContainEqual([company, 'SA', 'Riyadh', '', 'By id', 'برقم', '']);
});

test('--json is JSON, of nothing too', async () => {
  const partners = await admin('partner', 'list', '--json');
  expect(JSON.parse(partners.stdout)).toContainEqual({
    id: 2,
    name: 'Demo Neighbour',
    live_tokens: 0,
    company_id: 2,
    company_name_en: 'Harbour Grill',
    company_name_ar: 'مشاوي الميناء',
    suspended_at: null,
  });
  const branches = await admin('branch', 'list', '--company', '2', '--json');
  expect(JSON.parse(branches.stdout)).toMatchObject([{ id: 4, address: null, services: 'dine_in delivery' }]);
  expect(JSON.parse((await admin('city', 'list', '--country', 'bv', '--json')).stdout)).toEqual([]);
});

test('partners and companies are suspended at once, resumed and renamed; branches change and go; the log tells by whom', async () => {
  await using app = await startApp(database.env);
  const tenant = await createTenant(app.db);
  const company = String(tenant.companyId);
  const status = async () => (await app.client.graphql('{ viewer { partner { id } } }', {}, tenant)).status;
  for (const [noun, key] of [
    ['partner', tenant.partnerName],
    ['company', company],
  ] as const) {
    expect(await status()).toBe(200);
    expect(await admin(noun, 'suspend', key, '--as', 'Noura')).toMatchObject({ code: 0, stderr: '' });
    expect(await status()).toBe(401);
    expect(await tokenStates(tenant.partnerName)).toEqual(['suspended']);
    // Again: nothing changes, and nothing is logged.
    expect(await admin(noun, 'suspend', key)).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse((await admin(noun, 'resume', key, '--json')).stdout)).toMatchObject({ suspended: false });
  }
  expect(await status()).toBe(200);

  await idOf('partner', 'create', '--name', 'Date Partner', '--company', company);
  expectRefusal(await admin('partner', 'rename', tenant.partnerName, 'Date Partner'), /"Date Partner" already/);
  expect(await admin('partner', 'rename', String(tenant.partnerId), 'Renamed')).toMatchObject({ code: 0 });
  expect(await admin('company', 'rename', company, '--name-ar', 'اسم جديد')).toMatchObject({ code: 0 });
  expect(await rows('partner', 'list')).toContainEqual(expect.arrayContaining(['Renamed', 'اسم جديد']));
  expectRefusal(await admin('partner', 'suspend', 'Unknown & Sons'), /no partner "Unknown & Sons"/);

  const address = ['--city', 'saruh', '--address', 'Street 1', '--services', 'dine_in'];
  const branch = await idOf('branch', 'create', '--company', company, '--name-en', 'A', '--name-ar', 'ا', ...address);
  const change = ['branch', 'update', branch, '--company'];
  expect(await admin(...change, company, '--name-en', 'B', '--no-address', '--services', 'delivery')).toMatchObject({
    code: 0,
  });
  expect(await rows('branch', 'list', '--company', company)).toEqual([
    [branch, 'SA', 'Riyadh', '', 'delivery', 'B', 'ا'],
  ]);
  expectRefusal(await admin(...change, '1', '--name-en', 'C'), new RegExp(`no branch ${branch}`));
  expect(await admin('branch', 'remove', branch, '--company', company)).toMatchObject({ code: 0 });
  expect(await rows('branch', 'list', '--company', company)).toEqual([]);

  await sql`update partner_tokens set created_at = now() - interval '100 days' where partner_id = ${tenant.partnerId}`.execute(
    app.db,
  );
  await sql`update partner_tokens set last_used_at = null`.execute(app.db);
  expect((await rows('token', 'list', '--unused-for', '90d')).map(([, , partner]) => partner)).toEqual(['Renamed']);

  const log = await rows('log', '--limit', '10');
  expect(log.map(([, , command]) => command).toReversed()).toEqual([
    ...['partner suspend', 'partner resume', 'company suspend', 'company resume', 'partner create', 'partner rename'],
    ...['company rename', 'branch create', 'branch update', 'branch remove'],
  ]);
  expect(log[9]).toEqual([
    expect.stringMatching(/^\d{4}-.*Z$/),
    'Noura',
    'partner suspend',
    expect.stringContaining(tenant.partnerName),
    '{"suspended_at":null}',
    expect.stringMatching(/^\{"suspended_at":"\d{4}-.*"\}$/),
  ]);
  const place = { country: 'SA', city: 'Riyadh', address: 'Street 1' };
  const created = { ...place, services: 'dine_in', name_en: 'A', name_ar: 'ا' };
  const changes = log.slice(0, 5).map((cells) => cells.slice(-2).map((cell) => cell && JSON.parse(cell)));
  expect(changes.toReversed()).toEqual([
    [{ name: tenant.partnerName }, { name: 'Renamed' }],
    [{ name_ar: 'شركة' }, { name_ar: 'اسم جديد' }],
    [{}, { id: Number(branch), ...created }],
    [
      { name_en: 'A', address: 'Street 1', services: 'dine_in' },
      { name_en: 'B', address: null, services: 'delivery' },
    ],
    [{ id: Number(branch), ...created, name_en: 'B', address: null, services: 'delivery' }, {}],
  ]);
  const issued = await admin('token', 'issue', '--partner', 'Date Partner');
  expect((await admin('log', '--json')).stdout).not.toContain(issued.stdout.trim());
});

async function tokenStates(partner: string) {
  return (await rows('token', 'list')).filter((cells) => cells[2] === partner).map(([, state]) => state);
}

async function idOf(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await admin(...args);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\n$/), stderr: '' });
  return stdout.trim();
}
