import { expect, test } from 'vitest';
import { migrations } from '../../migrations/index.ts';
import { envToConfig } from '../../src/app/config.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import { connect } from '../../src/platform/database/connect.ts';
import { migrateToNothing } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { copyTemplate, startApp, use } from '../support/app.ts';
import { expectRefusal, runAdmin } from '../support/process.ts';

const database = use(await copyTemplate());

const admin = (...args: string[]) => runAdmin(database.env, ...args);

test('migrate and seed make an empty database one that serves', async () => {
  await using empty = await copyTemplate();
  const { db, close } = await connect(envToConfig(empty.env), createLog('silent'));
  await migrateToNothing(db);
  await close();

  const migrated = await runAdmin(empty.env, 'migrate');
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  for (const name of Object.keys(migrations)) expect(migrated.stdout).toContain(name);
  expect(await runAdmin(empty.env, 'migrate')).toMatchObject({ code: 0, stdout: expect.stringMatching(/up to date/) });

  expect(await runAdmin(empty.env, 'seed')).toMatchObject({ code: 0, stderr: '' });
  const early = await runAdmin(empty.env, 'token', 'issue', '--partner', demoPartner);
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining(demoPartner) });

  expect(await runAdmin(empty.env, 'seed', '--demo')).toMatchObject({ code: 0, stderr: '' });
  const issued = await runAdmin(empty.env, 'token', 'issue', '--partner', demoPartner);
  await using app = await startApp(empty.env);
  expect((await app.client.rest('GET', '/countries')).body.countries).toHaveLength(249);
  const { body } = await app.client.graphql(
    '{ viewer { partner { name } items { nodes { id } } } }',
    {},
    { token: issued.stdout.trim() },
  );
  expect(body.data?.viewer.partner.name).toBe(demoPartner);
  expect(body.data?.viewer.items.nodes.length).toBeGreaterThan(0);
});

test('a token is issued, listed, used and revoked', async () => {
  const issued = await admin('token', 'issue', '--partner', demoPartner, '--days', '30');
  expect(issued).toMatchObject({ code: 0, stderr: '' });
  expect(issued.stdout).toMatch(/^pp_[\w-]{43}\n$/);
  const token = issued.stdout.trim();
  expect(await viewerStatus(token)).toBe(200);

  const before = await admin('token', 'list');
  expect(before.stdout).not.toContain(token);
  const row = before.stdout.trim().split('\n').at(-1)?.split('\t') ?? [];
  expect(row).toEqual(expect.arrayContaining(['live', demoPartner]));
  const [issuedAt = 0, expires = 0] = row.slice(3, 5).map((cell) => Date.parse(cell));
  expect(expires - issuedAt).toBe(30 * 24 * 60 * 60 * 1000);

  const id = row[0] as string;
  expect(await admin('token', 'revoke', id)).toMatchObject({ code: 0, stderr: '' });
  expect(await viewerStatus(token)).toBe(401);
  expect((await admin('token', 'list')).stdout).toMatch(new RegExp(`^${id}\trevoked\t`, 'm'));
});

test('a third live token of a partner is refused with a sentence', async () => {
  const { stdout } = await admin('token', 'list');
  const live = stdout.split('\n').filter((line) => line.includes(`\tlive\t${demoPartner}\t`)).length;
  for (let count = live; count < 2; count++) {
    expect(await admin('token', 'issue', '--partner', demoPartner)).toMatchObject({ code: 0 });
  }
  expectRefusal(await admin('token', 'issue', '--partner', demoPartner), /2 live tokens/);
});

test('an unknown partner is refused by name', async () => {
  expectRefusal(await admin('token', 'issue', '--partner', 'Nobody & Sons'), /Nobody & Sons/);
});

test('an unknown token is not revoked', async () => {
  expectRefusal(await admin('token', 'revoke', '999999999'), /999999999/);
});

async function viewerStatus(token: string): Promise<number> {
  await using app = await startApp(database.env);
  return (await app.client.graphql('{ viewer { partner { id } } }', {}, { token })).status;
}
