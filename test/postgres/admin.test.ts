import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import { migrateToNothing } from '../../src/platform/database/migrate.ts';
import { copyTemplate, openDatabase, startApp, use, useFolder } from '../support/app.ts';
import { runCommands } from '../support/commands.ts';
import { documentBlock } from '../support/documents.ts';
import { expectRefusal, runAdmin } from '../support/process.ts';

const database = use(await copyTemplate());
const app = use(await startApp(database.env));
const folder = await useFolder();

const admin = (...args: string[]) => runAdmin(database.env, ...args);

const viewer = '{ viewer { partner { name } items { nodes { id } } } }';

test('the commands of deploy.md make an empty database one that serves', async () => {
  await using empty = await copyTemplate();
  await using connection = await openDatabase(empty.env);
  await migrateToNothing(connection.db);
  const commands = await documentBlock('docs/operations/deploy.md', 'With PostgreSQL', 'sh');
  const parts = /^(export DATABASE_URL=)postgres:\S+\n(.*)\nnpm start\n$/s.exec(commands);
  const stdout = await runCommands(`${parts?.[1]}'${empty.env.DATABASE_URL}'\n${parts?.[2]}`, folder, {});
  for (const name of Object.keys(migrations)) expect(stdout).toContain(name);
  expect((await runAdmin(empty.env, 'migrate')).stdout).toContain('up to date');

  await using served = await startApp(empty.env);
  expect((await served.client.rest('GET', '/countries')).body.countries).toHaveLength(249);
  const [token = ''] = /^pp_[\w-]{43}$/m.exec(stdout) ?? [];
  const { body } = await served.client.graphql(viewer, {}, { token });
  expect(body.data?.viewer.partner.name).toBe(demoPartner);
  expect(body.data?.viewer.items.nodes.length).toBeGreaterThan(0);
});

test('the commands of admin.md do what it says', async () => {
  await using copy = await copyTemplate();
  const commands = await documentBlock('docs/operations/admin.md', 'Admin command', 'sh');
  expect(commands.split('npm run -s admin --').length).toBeGreaterThan(8);
  const stdout = await runCommands(commands, folder, copy.env);
  for (const line of [
    /^applied\t20261121090000_reference_data\t\d{4}-.*Z$/m,
    /^\d+\tsaruh\tSA\tRiyadh\tالرياض$/m,
    /^pp_[\w-]{43}$/m,
    /^Imported: 2 added, 0 changed, 0 unchanged\.$/m,
    /^Imported: 0 added, 1 changed, 1 unchanged\.$/m,
    /^,\{"id":3,"name":"Palm Partner","live_tokens":1,"company_id":3,/m,
  ]) {
    expect(stdout).toMatch(line);
  }
});

test('a token is issued, listed, used and revoked', async () => {
  const status = async () => (await app.client.graphql(viewer, {}, { token })).status;
  const issued = await admin('token', 'issue', '--partner', demoPartner, '--days', '30');
  expect(issued).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^pp_[\w-]{43}\n$/) });
  const token = issued.stdout.trim();
  expect(await status()).toBe(200);

  const before = await admin('token', 'list');
  expect(before.stdout).not.toContain(token);
  const row = before.stdout.trim().split('\n').at(-1)?.split('\t') ?? [];
  expect(row).toEqual(expect.arrayContaining(['live', demoPartner]));
  const [issuedAt = 0, expires = 0] = row.slice(3, 5).map((cell) => Date.parse(cell));
  expect(expires - issuedAt).toBe(30 * 24 * 60 * 60 * 1000);

  const id = row[0] as string;
  expect(await admin('token', 'revoke', id)).toMatchObject({ code: 0, stderr: '' });
  expect(await status()).toBe(401);
  expect((await admin('token', 'list')).stdout).toMatch(new RegExp(`^${id}\trevoked\t`, 'm'));
});

test('a third live token of a partner, an unknown partner and an unknown token are rejected', async () => {
  const issue = (partner: string) => admin('token', 'issue', '--partner', partner);
  for (const _token of [1, 2]) expect(await issue('Demo Neighbour')).toMatchObject({ code: 0 });
  expectRefusal(await issue('Demo Neighbour'), /2 live tokens/);
  expectRefusal(await issue('Nobody & Sons'), /Nobody & Sons/);
  expectRefusal(await admin('token', 'revoke', '999999999'), /999999999/);
});
