import { afterEach, expect, test, vi } from 'vitest';
import { warnOfMemory } from '../../src/app/app.ts';
import { envToConfig, readEnv, variables } from '../../src/app/config.ts';
import { OperatorError } from '../../src/kernel/errors/operator-error.ts';
import { processMemory } from '../../src/kernel/memory-bounds.ts';
import { developmentOrigins } from '../../src/platform/http/cors.ts';
import { createLog } from '../../src/platform/observability/log.ts';

const databaseUrl = 'postgres://user:password@db.example:5432/gateway';

test.each([
  [{}, { port: 4000, host: '127.0.0.1', dataDir: '.data', corsOrigins: developmentOrigins, demo: true }],
  [{ DATABASE_URL: databaseUrl }, { host: '0.0.0.0', databaseUrl, corsOrigins: [] }],
  [{ MANAGEMENT_PORT: '9464' }, { management: { port: 9464, host: '127.0.0.1', names: [] } }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/base/' },
    { tracing: { url: 'http://127.0.0.1:4318/base/v1/traces', sampler: 'parentbased_always_on', ratio: 1 } },
  ],
  [{ CORS_ORIGINS: 'https://a.example, http://b:*,' }, { corsOrigins: ['https://a.example', 'http://b:*'] }],
  [{ GRAPHQL_MAX_ALIASES: '0' }, { documentLimits: expect.objectContaining({ tokens: 2_000, aliases: 0 }) }],
  [{ EMBEDDED_DATABASE: 'on', NODE_ENV: 'production' }, { demo: false }],
])('%j is accepted', (env, config) => {
  expect(envToConfig(env)).toMatchObject(config);
});

const mistakes = [
  ['PORT', '70000', 'a whole number from 0 to 65535; it is 70000.'],
  // The message must not repeat the password.
  ['DATABASE_URL', 'mysql://user:hunter2@db.example/gateway', 'a postgres:// URL.'],
  ['LOG_LEVEL', 'loud', 'one of silent, fatal, error, warn, info, debug, trace; it is loud.'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'a number from 0 to 1; it is 2.'],
  ['LOOKUP_PAGE_SIZE', ' ', 'a whole number from 1 to 1000; it is blank.'],
  ['INTROSPECTION', 'maybe', 'one of on, off; it is maybe.'],
  ['TRUST_PROXY', 'x', 'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal; it is x.'],
];
test.each([{ NODE_ENV: 'production' }, { EMBEDDED_DATABASE: 'off' }])('%j needs a database', (env) => {
  expect(() => envToConfig(env)).toThrow(/^DATABASE_URL must be set, or EMBEDDED_DATABASE must be on/);
});

test('every mistake is a sentence, and all are reported at once', () => {
  const sentences = mistakes.map(([name, , sentence]) => `${name} must be ${sentence}`);
  expect(() => envToConfig(Object.fromEntries(mistakes))).toThrow(new OperatorError(sentences.join('\n')));
});

const refused: Record<string, string[]> = {
  PORT: ['-1', '65536', '80.5', ' '],
  DATABASE_URL: ['db.example:5432/gateway'],
  DATABASE_POOL_SIZE: ['1001'],
  REDIS_URL: ['cache.example:6379', 'http://cache.example', 'redis://cache.example/name'],
  PERSISTED_QUERY_TTL: ['2592001'],
  LOOKUP_PAGE_SIZE: ['0', 'all'],
  GRAPHQL_MAX_TOKENS: ['0'],
  GRAPHQL_MAX_DEPTH: ['101'],
  LOG_LEVEL: ['INFO!'],
  REFERENCE_ACCESS: ['Partner'],
  INTROSPECTION: ['true'],
  CORS_ORIGINS: [
    ...['app.example', 'https://app.example/', 'https://app.example/path', 'https://App.example', 'ftp://app.example'],
    ...['https://app.example:443', 'https://user@app.example', 'https://*.app.example', 'null', ','],
    ...['https://app.example https://other.example', 'https://app.example,*'],
  ],
  MANAGEMENT_PORT: ['-1'],
  LOG_FORMAT: ['xml'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['127.0.0.1:4318'],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_TRACES_SAMPLER_ARG: ['2'],
};
test.each(Object.entries(refused))('%s is refused by name: %j', (name, values) => {
  for (const value of values) expect(() => envToConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('only the variables of the service are read, and an empty one counts as not set', () => {
  for (const name of Object.keys(variables)) vi.stubEnv(name, '');
  vi.stubEnv('PORT', '5000');
  vi.stubEnv('SOMETHING_ELSE', '1');
  expect(readEnv()).toEqual({ PORT: '5000' });
});

test('a memory limit below what the service needs is logged', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  for (const limit of [0, processMemory, 2 ** 60, 512 * 2 ** 20]) warnOfMemory(limit, log);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, limitMiB: 512, neededMiB: 640 }]);
});
