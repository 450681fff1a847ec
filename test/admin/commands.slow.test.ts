import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { root } from '../support/documents.ts';
import { createAdmin, expectFailure, runAdminProcess } from '../support/process.ts';
import { lacks } from '../support/programs.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, use } from '../support/test-app.ts';

const database = use(await copyTemplate());
const { run, print, list } = createAdmin(database.env);
const named = ['--name-en', 'Palm', '--name-ar', ' مطبخٌ '];

test('creates and lists a company and a partner, whose token works', async () => {
  const company = await print('company', 'create', ...named, '--city', 'sa-jeddah', '--address', 'Olaya Street 8');
  const partner = await print('partner', 'create', '--name', 'شريك النخلة', '--company', company);
  const issued = await runAdminProcess(database.env, 'token', 'issue', '--partner', 'شريك النخلة', '--days', '30');
  expect(issued).toMatchObject({ code: 0, stdout: expect.stringMatching(/^pp_[\w-]{43}\n$/) });
  const [, id, day] = /^Token (\d+) is shown only this once\. It expires on (\S+)\.\n$/.exec(issued.stderr) ?? [];
  const token = (await list('token', 'list')).at(-1);
  expect(token).toMatchObject({
    id: Number(id),
    access: 'full',
    state: 'live',
    expires: expect.stringMatching(`^${day}`),
  });
  expect(Date.parse(token.expires) - Date.parse(token.issued)).toBe(30 * 24 * 60 * 60 * 1000);
  const own = { company_id: +company, company_name: 'Palm', suspended_at: null };
  expect(await list('partner', 'list')).toContainEqual({ id: +partner, name: 'شريك النخلة', live_tokens: 1, ...own });

  await using app = await startApp(database.env);
  const document = '{ partner { name } company { nameAr address { line city { nameEn } } } }';
  expect((await app.client.graphql(document, {}, { token: issued.stdout.trim() })).body.data).toEqual({
    partner: { name: 'شريك النخلة' },
    company: { nameAr: 'مطبخٌ', address: { line: 'Olaya Street 8', city: { nameEn: 'Jeddah' } } },
  });
});

test.each([
  [['company', 'create', ...named, '--city', 'atlantis'], /"atlantis".*export cities/],
  [['company', 'update', '999', '--name-en', 'A'], /no company 999/],
  [['partner', 'create', '--name', 'Palm', '--company', '999'], /company 999.*export companies/],
  [['partner', 'create', '--name', 'Demo Partner', '--company', '1'], /"Demo Partner" already/],
  [['partner', 'suspend', 'Unknown & Sons'], /no partner "Unknown & Sons"/],
  [['token', 'revoke', '999999999'], /no token 999999999/],
  [['export', 'items', '--company', '999'], /company 999/],
  [['export', 'cities', '--company', '1'], /--company does not apply to cities/],
  [['import', 'items', '.'], /^\. is a folder\.\n$/],
  [['import', 'items', 'none.csv'], /^The file none\.csv cannot be used: no such file or directory\.\n$/],
])('%j is rejected by name, and nothing is created', async (args, says) => {
  const state = async () => [await print('export', 'companies'), await print('export', 'partners')];
  const before = await state();
  expectFailure(await run(...args), says);
  expect(await state()).toEqual(before);
});

test('suspends, resumes and renames partners and companies, and logs only changes', async () => {
  await using app = await startApp(database.env);
  const tenant = await createTenant(app.db);
  const [company, partner] = [String(tenant.companyId), String(tenant.partnerId)];
  const status = async () => (await app.client.graphql('{ partner { id } }', {}, tenant)).status;
  expect(await status()).toBe(200);
  for (const [noun, key] of [
    ['partner', tenant.partnerName],
    ['company', company],
  ] as const) {
    await print(noun, 'suspend', key, '--as', 'Noura');
    await expect.poll(status).toBe(401);
    expect((await list('token', 'list')).at(-1)).toMatchObject({ partner: tenant.partnerName, state: 'suspended' });
    expect(await list(noun, 'resume', key)).toMatchObject({ suspended: false });
    await expect.poll(status).toBe(200);
  }
  const { id, token } = await list('token', 'issue', '--partner', partner, '--read-only', '--label', 'mirror');
  for (const command of [
    ['partner', 'rename', partner, 'Renamed'],
    ['company', 'update', company, '--name-ar', 'اسم جديد', '--city', 'sa-jeddah'],
    ['token', 'revoke', String(id)],
  ]) {
    expect(await print(...command)).not.toBe('No changes.');
    const log = await list('log');
    expect(log[0]).toMatchObject({ command: command.slice(0, 2).join(' ') });
    expect(await print(...command)).toBe('No changes.');
    expect(await list('log')).toEqual(log);
  }
  expect((await list('partner', 'list')).at(-1)).toMatchObject({ name: 'Renamed' });
  expect((await list('token', 'list')).at(-1)).toMatchObject({
    label: 'mirror',
    access: 'read_only',
    state: 'revoked',
  });
  await sql`update partner_tokens set created_at = now() - interval '100 days' where id = ${id}`.execute(app.db);
  expect(await list('token', 'list', '--unused-for', '90')).toMatchObject([{ id }]);

  const log = await list('log', '--limit', '9');
  expect(JSON.stringify(log)).not.toContain(token);
  expect(log.find(({ by }: { by: string }) => by === 'Noura')).toMatchObject({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    command: 'company suspend',
    details: { arguments: [company], options: {}, result: { suspended: true } },
  });
});

test.skipIf(lacks('unshare'))('commands run for a user id without a name, and the log has the id', async () => {
  const args = ['--user', '--map-user=54321', process.execPath, 'dist/src/admin.js', 'company', 'suspend', '1'];
  await promisify(execFile)('unshare', args, { cwd: root, env: { PATH: process.env.PATH, ...database.env } });
  expect(await list('log', '--limit', '1')).toMatchObject([{ by: '54321', command: 'company suspend' }]);
});
