import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { envToConfig } from '../../src/app/config.ts';
import { requestErrors } from '../../src/kernel/errors/catalog.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { companyRows, surfaces } from '../support/product-tag.ts';
import { exchangeRaw, type RawAnswer, type RawRequest } from '../support/raw-http.ts';
import { contractOf } from '../support/rest-contract.ts';
import { createTenant, type Tenant } from '../support/tenant.ts';
import type { KnownIds } from './requests.ts';

export interface Arena extends AsyncDisposable {
  app: TestApp;
  attacker: Tenant;
  known: KnownIds;
  /** How many answers there were of each status; 0 stands for a connection that was closed without one. */
  statuses: Map<number, number>;
  /** How many requests changed rows. */
  writes: number;
  /** Sends a request, and checks that it did no harm: see the invariants below. */
  attack(request: RawRequest): Promise<RawAnswer | undefined>;
}

const environment = { RATE_LIMIT: 'off' };
const contract = contractOf(envToConfig(environment));

/** Starts the service for a company that attacks, beside another that must not notice. */
export async function startArena(): Promise<Arena> {
  const app = await startApp(environment);
  const attacker = await createTenant(app.db);
  const other = await createTenant(app.db);
  const secret = `Theirs ${randomUUID()}`;
  const names = { nameEn: secret, nameAr: secret };
  await app.db.updateTable('items').set(names).where('companyId', '=', other.companyId).execute();
  await app.db.updateTable('companies').set(names).where('id', '=', other.companyId).execute();
  const create = (name: string, tenant: Tenant) =>
    surfaces.REST.create(app.client, { name_en: name, item_ids: tenant.products }, tenant);
  const ownTags = await Promise.all(Array.from({ length: 20 }, (_, index) => create(`Own ${index}`, attacker)));
  const otherTag = await create(secret, other);

  const statuses = new Map<number, number>();
  const prototype = Object.getOwnPropertyNames(Object.prototype);
  const otherRows = await companyRows(app.db, other.companyId);
  let ownRows = await companyRows(app.db, attacker.companyId);

  async function attack(this: Arena, request: RawRequest): Promise<RawAnswer | undefined> {
    app.statements.splice(0);
    app.logLines.splice(0);
    const answer = await exchangeRaw(app.url, request);
    statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
    if (answer !== undefined) ensureHarmless(request, answer, [secret, other.partnerName, attacker.token, other.token]);
    else expect(mayBeCutOff(request)).toBe(true);
    expect(app.logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototype);
    if (app.statements.some((text) => /\b(insert\s+into|update\s+"?\w+"?\s+set|delete\s+from)\b/i.test(text))) {
      const rows = await companyRows(app.db, attacker.companyId);
      if (!isAccepted(answer)) expect(rows).toEqual(ownRows);
      if (!isDeepStrictEqual(rows, ownRows)) this.writes += 1;
      expect(rows.items).toEqual(ownRows.items);
      expect(await companyRows(app.db, other.companyId)).toEqual(otherRows);
      ownRows = rows;
    }
    return answer;
  }

  return {
    app,
    attacker,
    known: {
      ownTags: ownTags.map((tag) => tag.id),
      ownProducts: attacker.products,
      modifier: attacker.modifier,
      otherTag: otherTag.id,
      otherProduct: other.products[0] as number,
      otherCompany: other.companyId,
    },
    statuses,
    writes: 0,
    attack,
    async [Symbol.asyncDispose]() {
      // Also what no statement seemed to write.
      expect(await companyRows(app.db, other.companyId)).toEqual(otherRows);
      expect(await companyRows(app.db, attacker.companyId)).toEqual(ownRows);
      await app[Symbol.asyncDispose]();
    },
  };
}

// What no answer says: of the code, of the database, of the machine.
const insides =
  /node_modules|node:internal|\.[jt]s:\d|\bat \S+ \(|stacktrace|syntax error at|violates|relation \\?"|duplicate key|invalid input syntax|out of range for type|kysely|pglite|postgres|\/(root|home|tmp|usr)\/|\[object |\bundefined\b|call stack/i;

function ensureHarmless(request: RawRequest, answer: RawAnswer, secrets: string[]): void {
  const { status, headers, body } = answer;
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(500);
  const told = [...headers].join('\n') + body;
  expect(told).not.toMatch(insides);
  for (const secret of secrets) expect(told).not.toContain(secret);
  expect(headers.get('x-request-id')).toMatch(/^[\w.:-]{8,128}$/);
  const { method, target } = request;
  const header = (name: string) => headers.get(name);
  contract.check({ method, target, status, header, headerNames: headers.keys(), text: body });
  if (method === 'HEAD' || status === 204 || status === 304) return;

  const type = headers.get('content-type');
  if (method === 'GET' && status === 200 && type?.startsWith('text/html')) return;
  expect(type).toMatch(/^application\/(problem\+json|json|graphql-response\+json); charset=utf-8$/);
  const json = JSON.parse(body);
  const isGraphQL = /^(http:\/\/\w+)?\/graphql([/?#]|$)/i.test(target);
  if (type?.startsWith('application/problem+json')) {
    expect(json).toMatchObject({ status, request_id: headers.get('x-request-id') });
    if (!('errors' in json) && status !== 404) expect(Object.keys(requestErrors)).toContain(json.code);
    // All that is a problem there too is what was no request to route.
    if (isGraphQL) expect(['malformed_request', 'headers_too_large']).toContain(json.code);
  } else if (isGraphQL) ensureGraphQL(json);
  else expect(status).toBeLessThan(300);
}

function ensureGraphQL(json: Record<string, unknown>): void {
  expect(['data', 'errors']).toEqual(expect.arrayContaining(Object.keys(json)));
  expect(json.errors ?? json.data).toBeTruthy();
  const error = {
    message: expect.stringMatching(/\S/),
    extensions: { code: expect.stringMatching(/^[A-Z_]+$/), requestId: expect.stringMatching(/^[\w.:-]{8,128}$/) },
  };
  for (const each of (json.errors ?? []) as unknown[]) expect(each).toMatchObject(error);
  expect(JSON.stringify(json)).not.toContain('INTERNAL_SERVER_ERROR');
}

// Those that the client cut off, those that are refused before they are read to their end, and tunnels, which Node closes.
function mayBeCutOff({ method, sent, headers, body }: RawRequest): boolean {
  const isLarge = (body?.length ?? 0) > 100_000 || headers.some(([, value]) => value.length > 10_000);
  return sent !== undefined || method === 'CONNECT' || isLarge;
}

// Rows change only where the answer says so: a tag of REST, or a mutation of GraphQL without user errors.
function isAccepted(answer: RawAnswer | undefined): boolean {
  if (answer === undefined || answer.status > 201) return false;
  const { id, data } = JSON.parse(answer.body) as { id?: number; data?: Record<string, Payload | null> | null };
  return id !== undefined || Object.values(data ?? {}).some((payload) => payload && !payload.userErrors?.length);
}

interface Payload {
  userErrors?: unknown[];
}
