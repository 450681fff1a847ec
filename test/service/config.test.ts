import { afterEach, describe, expect, test, vi } from 'vitest';
import { envToConfig, readEnv, variableNames } from '../../src/app/config.ts';
import { StartError } from '../../src/kernel/errors/start-error.ts';

const databaseUrl = 'postgres://user:password@db.example:5432/gateway';

test('without any variable the service is embedded, on port 4000 of this machine alone', () => {
  expect(envToConfig({})).toMatchObject({ port: 4000, host: '127.0.0.1', databaseUrl: undefined, dataDir: '.data' });
});

test('with PostgreSQL it listens on every address', () => {
  expect(envToConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ host: '0.0.0.0', databaseUrl });
});

test('pages of other origins are let in by default on a machine of one’s own alone', () => {
  expect(envToConfig({}).corsOrigins).toContain('https://studio.apollographql.com');
  expect(envToConfig({ DATABASE_URL: databaseUrl }).corsOrigins).toEqual([]);
});

test('HOST is taken as given, with either database', () => {
  expect(envToConfig({ HOST: '::1' }).host).toBe('::1');
  expect(envToConfig({ HOST: '127.0.0.1', DATABASE_URL: databaseUrl }).host).toBe('127.0.0.1');
});

test('every mistake is a sentence, and all are reported at once', () => {
  expect(envToConfig({ WORKERS: '64', DATABASE_URL: databaseUrl }).workers).toBe(64);
  const wrong = {
    PORT: '70000',
    DATABASE_URL: 'mysql://db.example/gateway',
    LOG_LEVEL: 'loud',
    OTEL_TRACES_SAMPLER_ARG: '2',
    LOOKUP_PAGE_SIZE: ' ',
    INTROSPECTION: 'maybe',
    TRUST_PROXY: 'balancer',
  };
  expect(refusalOf(wrong).split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535; it is 70000.',
    'DATABASE_URL must be a postgres:// URL.',
    'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace; it is loud.',
    'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; it is 2.',
    'LOOKUP_PAGE_SIZE must be a whole number from 1 to 1000; it is blank.',
    'INTROSPECTION must be one of on, off; it is maybe.',
    'TRUST_PROXY must be addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal; it is balancer.',
  ]);
  expect(refusalOf({ WORKERS: '2', PORT: 'http' }).split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535; it is http.',
    'WORKERS must be 1 without DATABASE_URL, because the embedded database belongs to one process; it is 2.',
  ]);
});

test.each([
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', ' '],
  ['WORKERS', '0'],
  ['WORKERS', '65'],
  ['WORKERS', 'auto'],
  ['DATABASE_URL', 'db.example:5432/gateway'],
  ['DATABASE_POOL_SIZE', '1001'],
  ['REDIS_URL', 'cache.example:6379'],
  ['REDIS_URL', 'http://cache.example'],
  ['REDIS_URL', 'redis://cache.example/name'],
  ['PERSISTED_QUERY_TTL', '2592001'],
  ['LOOKUP_PAGE_SIZE', '0'],
  ['LOOKUP_PAGE_SIZE', 'all'],
  ['GRAPHQL_MAX_TOKENS', '0'],
  ['GRAPHQL_MAX_DEPTH', '101'],
  ['LOG_LEVEL', 'INFO!'],
  ['REFERENCE_ACCESS', 'Partner'],
  ['INTROSPECTION', 'true'],
  ['CORS_ORIGINS', 'app.example'],
  ['CORS_ORIGINS', 'https://app.example/'],
  ['CORS_ORIGINS', 'https://app.example/path'],
  ['CORS_ORIGINS', 'https://App.example'],
  ['CORS_ORIGINS', 'https://app.example:443'],
  ['CORS_ORIGINS', 'https://user@app.example'],
  ['CORS_ORIGINS', 'https://*.app.example'],
  ['CORS_ORIGINS', 'ftp://app.example'],
  ['CORS_ORIGINS', 'null'],
  ['CORS_ORIGINS', 'https://app.example https://other.example'],
  ['CORS_ORIGINS', 'https://app.example,*'],
  ['CORS_ORIGINS', ','],
  ['MANAGEMENT_PORT', '-1'],
  ['LOG_FORMAT', 'xml'],
  ['SERVER_TIMING', 'yes'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('%s=%s is refused by name', (name, value) => {
  expect(refusalOf({ [name]: value })).toMatch(new RegExp(`^${name} must be `));
});

test.each([
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ['DATABASE_URL', 'postgresql://db.example/gateway', { databaseUrl: 'postgresql://db.example/gateway' }],
  ['INTROSPECTION', 'off', { introspection: false }],
  ['MANAGEMENT_PORT', '9464', { management: { port: 9464, host: '127.0.0.1', names: [] } }],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://127.0.0.1:4318/base/',
    { tracing: { url: 'http://127.0.0.1:4318/base/v1/traces', sampler: 'parentbased_always_on', ratio: 1 } },
  ],
  ['REFERENCE_ACCESS', 'partner', { referenceAccess: 'partner' }],
  ['CORS_ORIGINS', '*', { corsOrigins: ['*'] }],
  [
    'CORS_ORIGINS',
    'https://app.example, http://localhost:*,',
    { corsOrigins: ['https://app.example', 'http://localhost:*'] },
  ],
  [
    'GRAPHQL_MAX_ALIASES',
    '0',
    { documentLimits: { tokens: 12_000, depth: 12, aliases: 0, directives: 50, cost: 150_000 } },
  ],
])('%s=%s is accepted', (name, value, config) => {
  expect(envToConfig({ [name]: value })).toMatchObject(config);
});

test.each([
  [{}, false],
  [{ NODE_ENV: 'production' }, false],
  [{ NODE_ENV: 'development' }, true],
  [{ NODE_ENV: 'development', SERVER_TIMING: 'off' }, false],
  [{ NODE_ENV: 'production', SERVER_TIMING: 'on' }, true],
] as const)('with %j responses say how long they took: %s', (env, serverTiming) => {
  expect(envToConfig(env).serverTiming).toBe(serverTiming);
});

test('a refused DATABASE_URL is not repeated: it has a password in it', () => {
  expect(refusalOf({ DATABASE_URL: 'mysql://user:hunter2@db.example/gateway' })).not.toContain('hunter2');
});

describe('the process environment', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('an empty variable counts as not set', () => {
    for (const name of variableNames) vi.stubEnv(name, '');
    expect(envToConfig(readEnv())).toEqual(envToConfig({}));
  });

  test('only the variables of the service are read', () => {
    for (const name of variableNames) vi.stubEnv(name, '');
    vi.stubEnv('PORT', '5000');
    vi.stubEnv('SOMETHING_ELSE', '1');
    expect(readEnv()).toEqual({ PORT: '5000' });
  });
});

function refusalOf(env: Record<string, string>): string {
  try {
    envToConfig(env);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error(`${JSON.stringify(env)} was accepted`);
}
