import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pipeline } from '../../src/platform/database/queries.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, openDatabase, use } from '../support/test-app.ts';

const { db } = use(await openDatabase(use(await copyTemplate()).env));
const { companyId } = await createTenant(db);

const insertTag = (connection: typeof db, nameEn: string) =>
  connection.insertInto('productTags').values({ companyId, nameEn }).execute();
const listTags = async () =>
  (await db.selectFrom('productTags').select('nameEn').where('companyId', '=', companyId).execute()).map(
    ({ nameEn }) => nameEn,
  );
const divideByZero = sql`select 1 / 0`;

test('a transaction with a failed statement does not commit, even if the error is caught', async () => {
  const work = inTransaction(db, async (transaction) => {
    await insertTag(transaction, 'Lost');
    await divideByZero.execute(transaction).catch(() => {});
    return 'done';
  });
  await expect(work).rejects.toThrow();
  expect(await listTags()).toEqual([]);
  await inTransaction(db, (transaction) => insertTag(transaction, 'Written'));
  expect(await listTags()).toEqual(['Written']);
});

test('a pipeline reports its first error', async () => {
  const one = sql`select 1`;
  const inOneGo = inTransaction(db, (transaction) => pipeline(transaction, [one, divideByZero, one]));
  await expect(inOneGo).rejects.toThrow('division by zero');
});
