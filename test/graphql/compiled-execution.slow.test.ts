// Must load before modules that use type-graphql's decorators.
import 'reflect-metadata';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { GatewayExecutor, GatewayGraphQLRequestContext } from '@apollo/server-gateway-interface';
import type { Response } from 'express';
import fc from 'fast-check';
import { type DocumentNode, execute, getOperationAST, OperationTypeNode, parse, validate } from 'graphql';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { startResources } from '../../src/app/resources.ts';
import { runInScope } from '../../src/kernel/request/scope.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import type { ApolloContext } from '../../src/surfaces/graphql/errors.ts';
import { createExecution } from '../../src/surfaces/graphql/execution.ts';
import { RequestContext } from '../../src/surfaces/request/context.ts';
import { createTenant } from '../support/tenant.ts';
import { copyTemplate, use } from '../support/test-app.ts';
import { type GeneratedDocument, generateDocument } from './generated-document.ts';

const database = use(await copyTemplate());
const started = use(new AsyncDisposableStack());
const services = await startResources(envToConfig(database.env), createLog('silent'), started);
const { db, schema } = services;
const { companyId, token, products, modifier } = await createTenant(db);
// Short lists give the same documents, but faster.
await sql`delete from timezones where id > 4`.execute(db);
const used = sql`select city_id from companies union select city_id from branches`;
await sql`delete from cities where id not in (${used})`.execute(db);
await sql`delete from countries where id not in (select country_id from cities)`.execute(db);
await services.referenceData.refresh();
const [first = 0, second = 0] = products;
const tagId = 50;
await resetTags();

const options = {
  ...services,
  countRequest: async () => {},
  log: createLog('silent'),
  lookupPageSize: 25,
  referenceAccess: 'public' as const,
};
const { executor } = await createExecution(schema, Number.POSITIVE_INFINITY).load({ apollo: {} });
const executeAsService = executor as Execute;

const scalars = {
  Int: [tagId, first, 1, tagId, second, 3, tagId, modifier, 682, tagId, 0, -1],
  String: ['Spicy', 'حار', 'x', ' "New"\n', 'aXRlbToy', 'key-1', '*'],
  Boolean: [true, false],
  DateTime: ['2026-01-01T00:00:00Z', '2099-12-31T23:59:59.999+03:00', 'x'],
};

type Arm = [operation: OperationTypeNode, documents: number, choices: number];

// graphql-js interprets the first execution; the second compiles the document, and the third finds it compiled.
test.each<Arm>([
  [OperationTypeNode.QUERY, 1_500, 60],
  [OperationTypeNode.MUTATION, 250, 40],
])('a %s gives the result of graphql-js each time it is sent', async (operation, numRuns, maxLength) => {
  const documents = fc
    .array(fc.noBias(fc.nat({ max: 9_999 })), { maxLength, size: 'max' })
    .map((choices) => generateDocument(schema, operation, scalars, choices));
  const property = fc.asyncProperty(documents, async (generated) => {
    const document = parse(generated.query);
    fc.pre(validate(schema, document).length === 0);
    const expected = await toOutcome(interpret, document, generated);
    for (let time = 1; time <= 3; time += 1) {
      const outcome = await toOutcome(executeAsService, document, generated).catch(({ message }) => ({ message }));
      // The service rejects the whole operation, and also arguments that graphql-js may never reach.
      if (typeof outcome === 'object' && outcome.message === 'invalid_parameter') continue;
      if (typeof outcome === 'object') expect(expected).toContain(JSON.stringify(outcome.message).slice(1, -1));
      else expect(outcome).toBe(expected);
    }
  });
  // Another seed each time, which a failure prints; SEED repeats it.
  const { SEED } = process.env;
  await fc.assert(property, { numRuns, ...(SEED && { seed: Number(SEED) }) });

  async function toOutcome(by: Execute, document: DocumentNode, generated: GeneratedDocument): Promise<string> {
    const isMutation = operation === OperationTypeNode.MUTATION;
    if (isMutation) await resetTags();
    const response = await run(by, document, generated);
    if (!isMutation) return response;
    // Versions are random, and times those of each write.
    return `${response} ${await storedTags()}`
      .replaceAll(/[\da-f-]{36}/g, 'version')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  }
});

test('unreadable rows give one error per null, each time the document is sent', async () => {
  const query = '{ services { id } items(first: 9) { nodes { id createdAt updatedAt } } }';
  await sql`alter table items rename column created_at to other`.execute(db);
  const send = (by: Execute) => run(by, parse(query), { query, variables: {} });
  const expected = await send(interpret);
  expect(JSON.parse(expected)).toMatchObject([{ items: null }, [{ path: ['items', 'nodes', 0, 'createdAt'] }]]);
  for (let time = 1; time <= 3; time += 1) expect(await send(executeAsService)).toBe(expected);
});

type Execute = (context: GatewayGraphQLRequestContext) => ReturnType<GatewayExecutor>;

const interpret: Execute = async ({ document, context, request: { variables } }) =>
  execute({ schema, document, contextValue: (context as ApolloContext).context, variableValues: variables ?? {} });

async function run(by: Execute, document: DocumentNode, { query, variables }: GeneratedDocument): Promise<string> {
  const incoming = Object.assign(new IncomingMessage(new Socket()), { headers: { authorization: `Bearer ${token}` } });
  const response = new ServerResponse(incoming) as unknown as Response;
  const context = new RequestContext(response, { ...options, getAddress: () => '' });
  await context.admission.enter();
  return runInScope(context, async () => {
    const operation = getOperationAST(document);
    const request = { query, variables };
    const { data, errors } = await by({
      schema,
      document,
      operation,
      request,
      context: { context },
      queryHash: query,
    } as never);
    return JSON.stringify([data, errors]);
  }).finally(() => response.emit('prefinish'));
}

async function resetTags(): Promise<void> {
  await sql`delete from idempotency_keys`.execute(db);
  await sql`delete from product_tags where company_id = ${companyId}`.execute(db);
  const tag = { companyId, id: tagId, nameEn: 'First', nameAr: 'أول' };
  await db.insertInto('productTags').values(tag).execute();
  await db.insertInto('productTaggings').values({ companyId, productTagId: tagId, itemId: first }).execute();
  await sql`select setval(pg_get_serial_sequence('product_tags', 'id'), ${tagId})`.execute(db);
}

async function storedTags(): Promise<string> {
  const tags = db.selectFrom('productTags').select(['id', 'nameEn', 'nameAr']).orderBy('id');
  const links = db.selectFrom('productTaggings').select(['productTagId', 'itemId']);
  const rows = [await tags.execute(), await links.orderBy('productTagId').orderBy('itemId').execute()];
  return JSON.stringify(rows);
}
