import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { persisted, persistedBody } from '../support/persisted-query.ts';
import { lacks } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';

const services = '{ services { code } }';
const viewer = '{ viewer { partner { name } } }';

describe.skipIf(lacks('redis-server'))('replicas that share a Redis', () => {
  let redis: RedisServer;
  let apps: [TestApp, TestApp];

  beforeEach(async () => {
    redis = await startRedis();
    const start = (env: object) => startApp({ REDIS_URL: redis.url, ...env });
    apps = await Promise.all([start({ PERSISTED_QUERY_TTL: '600' }), start({ GRAPHQL_MAX_DEPTH: '2' })]);
  });
  afterEach(async () => {
    await Promise.all(apps.map((app) => app[Symbol.asyncDispose]()));
    await redis[Symbol.asyncDispose]();
  });

  const codeOf = async ({ client }: TestApp, document: string, more: object = {}) => {
    type Body = { errors?: { extensions: { code: string } }[] };
    return (await client.fetch<Body>('POST', '/graphql', persisted(document, more))).body.errors?.[0]?.extensions.code;
  };
  const keyOf = (document: string) =>
    `partner-gateway:apq:${persistedBody(document).extensions.persistedQuery.sha256Hash}`;

  test('know the document that one of them was sent, for the time set', async () => {
    const [one, other] = apps;
    await codeOf(one, services, { query: services });
    expect(await codeOf(other, services)).toBeUndefined();
    expect(String(await redis.command('TTL', keyOf(services)))).toMatch(/^(600|5\d\d)$/);
  });

  test('run no document beyond their own limits, whoever kept it', async () => {
    const [one, other] = apps;
    expect(await codeOf(one, viewer, { query: viewer })).toBe('UNAUTHENTICATED');
    expect(await codeOf(one, viewer)).toBe('UNAUTHENTICATED');
    expect(await codeOf(other, viewer)).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('run no document that does not have the hash it is kept under', async () => {
    await redis.command('SET', keyOf(services), '{ timezones { name } }');
    expect(await codeOf(apps[0], services)).toBe('PERSISTED_QUERY_NOT_FOUND');
  });

  test('miss what they do not know themselves while Redis is away, and answer no 5xx', async () => {
    const [one, other] = apps;
    await codeOf(one, services, { query: services });
    await redis.kill();
    expect(await codeOf(one, services)).toBeUndefined();
    expect(await codeOf(other, services)).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect(await codeOf(other, services, { query: services })).toBeUndefined();
    expect(await codeOf(other, services)).toBeUndefined();
  });
});
