import { expect, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { envToConfig } from '../../src/app/config.ts';
import { execute } from '../support/postgres-server.ts';
import { adminOf } from '../support/process.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, startApp, useFolder } from '../support/test-app.ts';

test('an embedded database is copied to an entirely empty one, which is migrated first', async () => {
  const dataDir = await useFolder();
  const embedded = createApp(envToConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }));
  const { db } = await embedded.start();
  const { token, partnerName } = await createTenant(db);
  await embedded.stop();

  await using target = await copyTemplate();
  const url = target.env.DATABASE_URL as string;
  await execute(url, 'drop schema public cascade; create schema public');
  const { copied } = await adminOf({}).list('copy', '--from', dataDir, '--to', url);
  expect(copied).toMatchObject({ countries: 249, companies: 3, partners: 1 });
  await using served = await startApp(target.env);
  const { body } = await served.client.graphql('{ viewer { partner { name } } }', {}, { token });
  expect(body.data?.viewer.partner.name).toBe(partnerName);
});
