import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentBlocks } from '../support/documents.ts';
import { lockTags, untilWaiting } from '../support/locks.ts';
import { printed, runAdminProcess, startService } from '../support/process.ts';
import { surfaces } from '../support/product-tag.ts';
import { lacks } from '../support/programs.ts';
import { runCommands } from '../support/shell.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use, useFolder } from '../support/test-app.ts';

const database = use(await copyTemplate());
const folder = await useFolder();

test.skipIf(lacks('jq'))('the commands of the runbook find who changed a tag, and when', async () => {
  const { db } = use(await openDatabase(database.env));
  const [one, other] = [await createTenant(db), await createTenant(db)];
  await using service = await startService({ ...database.env, LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
  const { client } = service;
  const send = (requestId: string, document: string, { token } = one) =>
    client.graphql(document, {}, { token, headers: { 'X-Request-Id': requestId } });
  const create = 'mutation { createProductTag(input: { nameEn: "Spicy" }) { productTag { id } } }';
  const { body } = await send('creating-it', create);
  const id: number = body.data?.createProductTag.productTag.id;
  await send('another-tag', create, other);
  const [item] = one.products;
  await send('linking-it', `mutation { addProductTagItems(id: ${id}, itemIds: [${item}]) { userErrors { code } } }`);
  // An item with the id of the tag is not the tag.
  await send('reading-it', `{ productTag(id: ${id}) { nameEn } }`);
  await send('deleting-it', `mutation D { deleteProductTag(id: ${id}) { userErrors { code } } }`);
  await printed(service, /deleting-it.*\n/);
  await writeFile(join(folder, 'gateway.log'), service.stdout);

  const blocks = (await documentBlocks('docs/operations/runbook.md')).filter(
    ({ heading }) => heading === 'Who changed what',
  );
  const [byId, ofTag, ofOperators, ofPartner] = blocks.map(({ code }) => code) as [string, string, string, string];
  const find = async (commands: string, ...replaced: [from: string | RegExp, to: string][]) => {
    const edited = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), commands);
    const output = await runCommands(edited, folder, database.env);
    return output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  };
  const own = { partner: one.partnerId, token: { id: expect.any(Number) } };
  expect(await find(byId, [/"0{8}-[^"]*"/g, '"another-tag"'])).toMatchObject([{ partner: other.partnerId }]);
  const changes = await find(ofTag, [/== 7\b/g, `== ${id}`]);
  expect(changes.map(({ requestId }) => requestId)).toEqual(['creating-it', 'linking-it', 'deleting-it']);
  for (const change of changes) expect(change).toMatchObject({ ...own, time: expect.stringMatching(/Z$/) });
  const minute = changes[0].time.slice(0, 16);
  const done = await find(ofPartner, ['12 ', `${one.partnerId} `], ['2026-11-24T10:32', minute]);
  expect(done[0]).toMatchObject({ requestId: 'creating-it', partner: one.partnerId });
  expect(done.map(({ partner }) => partner)).not.toContain(other.partnerId);

  await runAdminProcess(database.env, 'partner', 'suspend', String(other.partnerId));
  expect(await runCommands(ofOperators, folder, database.env)).toContain('"command":"partner suspend"');
});

test('the log has writes that commit after the client has disconnected', async () => {
  const { db } = use(await openDatabase(database.env));
  const tenant = await createTenant(db);
  await using service = await startService({ ...database.env, LOG_LEVEL: 'info' });
  const tag = await surfaces.GraphQL.create(service.client, { name_en: 'Before' }, tenant);
  const document = `mutation {
    unknown: deleteProductTag(id: 0) { userErrors { code } }
    updateProductTag(id: ${tag.id}, input: { nameEn: "After" }) { userErrors { code } }
  }`;
  await lockTags(db, [tag.id], async () => {
    const headers = { 'X-Request-Id': 'leaving-early' };
    const leaving = service.client.graphql(document, {}, { ...tenant, headers, signal: AbortSignal.timeout(1_000) });
    await untilWaiting(db);
    await expect(leaving).rejects.toThrow();
    await printed(service, /"requestId":"leaving-early".*"status":499/);
  });
  // Its client has got no code, not even that of the unknown tag.
  expect(service.stdout).not.toMatch(/"requestId":"leaving-early".*"code"/);
  await printed(
    service,
    new RegExp(`"requestId":"leaving-early".*"writes":\\[{"field":"updateProductTag","id":${tag.id}}\\]`),
  );
});
