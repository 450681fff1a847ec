import { afterEach, expect, test, vi } from 'vitest';
import { envToConfig, readEnv, variables } from '../../src/app/config.ts';
import { OperatorError } from '../../src/kernel/errors/operator-error.ts';
import { developmentOrigins } from '../../src/platform/http/cors.ts';

const collectorUrl = 'http://127.0.0.1:4318';
const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl };
const databaseUrl = 'postgres://user:password@db.example:5432/gateway';

test.each<[env: Parameters<typeof envToConfig>[0], config: object]>([
  [{}, { port: 4000, host: '127.0.0.1', dataDir: '.data', corsOrigins: developmentOrigins, demo: true }],
  [{ DATABASE_URL: databaseUrl }, { host: '::', databaseUrl, corsOrigins: [] }],
  [{ EMBEDDED_DATABASE: 'on', NODE_ENV: 'production' }, { host: '127.0.0.1' }],
  [{ MANAGEMENT_PORT: '9464' }, { management: { port: 9464, host: '127.0.0.1', names: [] } }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${collectorUrl}/base/` },
    {
      tracing: {
        url: `${collectorUrl}/base/v1/traces`,
        protocol: 'http/json',
        sampler: 'parentbased_always_on',
        ratio: 1,
      },
    },
  ],
  [
    {
      ...collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_TRACES_EXPORTER: 'OTLP',
      OTEL_SDK_DISABLED: 'False',
    },
    { tracing: expect.objectContaining({ protocol: 'http/protobuf' }) },
  ],
  [
    { ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
    { tracing: expect.objectContaining({ protocol: 'http/json' }) },
  ],
  ...[{ OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }].map((env) => {
    const unusable = { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'jaeger_remote' };
    return [{ ...collector, ...unusable, ...env }, { tracing: undefined }] as [object, object];
  }),
  [{ CORS_ORIGINS: 'https://a.example, http://b:*,' }, { corsOrigins: ['https://a.example', 'http://b:*'] }],
  [
    { CORS_ORIGINS: 'capacitor://localhost,app://-,safari-web-extension://0A-1B' },
    { corsOrigins: ['capacitor://localhost', 'app://-', 'safari-web-extension://0A-1B'] },
  ],
  [{ DATABASE_URL: ` ${databaseUrl}\n` }, { databaseUrl }],
  ...[
    'postgres://user:pass@/db?host=/cloudsql/project:region:instance',
    'postgresql:///db?host=/cloudsql/project:region:instance&user=user@server&password=p,w',
    'postgres://user:p%40%2F,w@%2Fcloudsql%2Fproject%3Aregion%3Ainstance/db',
    'postgres://user@[::1]:5432/db?sslmode=disable',
    'postgres://user@one/db?channel_binding=prefer&target_session_attrs=any&gssencmode=',
  ].map((url) => [{ DATABASE_URL: url }, { databaseUrl: url }] as [object, object]),
  // As a file with the line ends of Windows has them.
  [
    { PORT: '5000\r', HOST: '127.0.0.1\r', LOG_LEVEL: ' warn', RATE_LIMIT: 'off ', DATA_DIR: 'data\r' },
    { port: 5_000, host: '127.0.0.1', logLevel: 'warn', rateLimits: undefined, dataDir: 'data' },
  ],
  [{ ...collector, OTEL_SDK_DISABLED: 'true\r', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, { tracing: undefined }],
  [{ GRAPHQL_MAX_DEPTH: '1' }, { documentLimits: { tokens: 1_000, depth: 1, cost: 50_000 } }],
  [{ EMBEDDED_DATABASE: 'on', NODE_ENV: 'production' }, { demo: false }],
  // Removed variables with their former defaults, as a copied .env.example has them.
  [{ FEDERATION: 'off', PERSISTED_QUERY_TTL: '86400' }, { port: 4000 }],
])('%j is accepted', (env, config) => {
  expect(envToConfig(env)).toMatchObject(config);
});

const invalid = [
  ['PORT', '70000', 'a whole number from 0 to 65535; it is 70000.'],
  // The message must not repeat the password.
  ['DATABASE_URL', 'mysql://user:hunter2@db.example/gateway', 'a postgres:// URL.'],
  // Breaks two rules, and is reported once.
  ['REDIS_URL', 'cache.example:6379', 'a redis:// or rediss:// URL whose path is a database number or empty.'],
  ['LOG_LEVEL', 'loud', 'one of silent, fatal, error, warn, info, debug, trace; it is loud.'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://user:hunter2@traces.example', 'an http:// or https:// URL.'],
  ['OTEL_TRACES_SAMPLER_ARG', '2', 'a number from 0 to 1; it is 2.'],
  ['LOOKUP_PAGE_SIZE', ' ', 'a whole number from 1 to 1000; it is blank.'],
  ['INTROSPECTION', 'maybe', 'one of on, off; it is maybe.'],
  ['TRUST_PROXY', 'x', 'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal; it is x.'],
];
test.each([{ NODE_ENV: 'production' }, { EMBEDDED_DATABASE: 'off' }])('%j requires a database', (env) => {
  expect(() => envToConfig(env)).toThrow(/^DATABASE_URL must be set, or EMBEDDED_DATABASE must be on/);
});

test('all invalid variables are reported together', () => {
  const sentences = invalid.map(([name, , sentence]) => `${name} must be ${sentence}`);
  expect(() => envToConfig(Object.fromEntries(invalid))).toThrow(new OperatorError(sentences.join('\n')));
});

const rejected: Record<string, string[]> = {
  PORT: ['-1', '65536', '80.5', ' '],
  HOST: [' '],
  DATA_DIR: [' '],
  MANAGEMENT_HOST: ['\r'],
  DATABASE_URL: ['db.example:5432/gateway', 'host=/cloudsql/a:b:c dbname=db', `"${databaseUrl}"`],
  DATABASE_POOL_SIZE: ['1001'],
  REDIS_URL: [
    'cache.example:6379',
    'http://cache.example',
    'redis://cache.example/name',
    'redis:6379',
    'rediss:cache.example',
  ],
  TRUST_PROXY: ['1', 'true', '10/8', '10.0.0.0/8,2'],
  PERSISTED_QUERY_TTL: ['0', '2592001'],
  ERROR_DOCS_URL: ['https://gateway.example/errors'],
  FEDERATION: ['on'],
  LOOKUP_PAGE_SIZE: ['0', 'all'],
  GRAPHQL_MAX_TOKENS: ['0', '1001'],
  GRAPHQL_MAX_COST: ['50001'],
  GRAPHQL_MAX_DEPTH: ['101'],
  LOG_LEVEL: ['INFO!'],
  REFERENCE_ACCESS: ['Partner'],
  INTROSPECTION: ['true'],
  CORS_ORIGINS: [
    ...['app.example', 'https://app.example/', 'https://app.example/path', 'https://App.example', 'ftp://app.example'],
    ...['https://app.example:443', 'https://user@app.example', 'https://*.app.example', 'null', ','],
    ...['https://app.example https://other.example', 'https://app.example,*', 'capacitor://localhost/', 'app://'],
    ...['file://app', 'capacitor:localhost', 'chrome-extension://*', 'Capacitor://localhost', 'wss://app.example'],
  ],
  MANAGEMENT_PORT: ['-1'],
  LOG_FORMAT: ['xml'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['127.0.0.1:4318'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', 'http'],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ['grpc'],
  OTEL_TRACES_EXPORTER: ['console', 'zipkin', 'otlp,console'],
  OTEL_SDK_DISABLED: ['1'],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_TRACES_SAMPLER_ARG: ['2'],
};
test.each(Object.entries(rejected))('%s is rejected by name: %j', (name, values) => {
  const error = new RegExp(`^${name} (must be|is no longer supported: .*\\. Remove it\\.$)`);
  for (const value of values) expect(() => envToConfig({ [name]: value })).toThrow(error);
});

test.each([
  [
    /^DATABASE_URL must be a postgres:\/\/ URL with one host, .*haproxy-postgres\.cfg\.$/,
    [
      'postgres://user:pass@one,two/db',
      'postgres://user:pass@one:5432,two:5432/db?target_session_attrs=read-write',
      'postgres:///db?host=one%2Ctwo',
      'postgres://user:pass@one/db?port=5432,5433',
    ],
  ],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL whose user and password are percent-encoded: @ is %40/,
    [
      'postgres://user:hunter/2@one/db',
      'postgres://user:12/34@one/db',
      'postgres://user:12?34@one/db',
      'postgres://user:12#34@one/db',
      'postgres://user:hunter2%FF@one/db',
    ],
  ],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL whose port is a number of at most 65535\.$/,
    ['postgres://user@one:99999/db', 'postgres://user:hunter2@one:port/db', 'postgres://user@one:5432;two:5432/db'],
  ],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL whose sslmode is disable, allow, prefer, require, verify-ca or verify-full\.$/,
    [
      'postgres://user:hunter2@one/db?sslmode=no-verify',
      'postgres://one/db?sslmode=required&ssl=off',
      'postgres://one/db?SSLMode=x',
      'postgres://one/db?sslmode=&ssl=off',
    ],
  ],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL whose ssl is disable, /,
    ['maybe', ''].map((ssl) => `postgres://one/db?ssl=${ssl}`),
  ],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL whose ssl is disable, /,
    ['postgres://one/db?ssl', 'postgres://one/db?a=b&ssl&c=d'],
  ],
  ...['channel_binding=require', 'target_session_attrs=read-write', 'gssencmode=require', 'sslcrl=/none/crl.pem'].map(
    (parameter): [RegExp, string[]] => [
      new RegExp(
        `^DATABASE_URL must be a postgres:// URL without ${parameter.split('=')[0]}, which the driver does not support\\.$`,
      ),
      [`postgres://user:hunter2@one/db?sslmode=require&${parameter}`, `postgres:///db?${parameter}&host=/folder`],
    ],
  ),
  [/^DATABASE_URL must be .* sslnegotiation is postgres or direct\.$/, ['postgres://one/db?sslnegotiation=x']],
  [
    /^DATABASE_URL must be a postgres:\/\/ URL without quotes around it\.$/,
    ['"postgres://user:hunter2@one/db"', " 'postgres://one/db'", '`postgres://one/db`'],
  ],
  [/^DATABASE_URL must be .* socket as \?host=\/folder\.$/, ['postgres://user@%2Fcloudsql%2Fp:region:instance/db']],
  [
    /^DATABASE_URL must be .* whose certificate files can be read: ENOENT.*\/none\/ca\.pem'\.$/,
    ['postgres://user:hunter2@one/db?sslmode=verify-full&sslrootcert=/none/ca.pem'],
  ],
])('an unusable DATABASE_URL is rejected with a reason: %s', (sentence, urls) => {
  for (const url of urls) {
    expect(() => envToConfig({ DATABASE_URL: url })).toThrow(sentence);
    expect(() => envToConfig({ DATABASE_URL: url })).not.toThrow('hunter2');
  }
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test('PGSSLMODE applies to a URL without sslmode', () => {
  vi.stubEnv('PGSSLMODE', 'Maybe');
  expect(() => envToConfig({ DATABASE_URL: databaseUrl })).toThrow(/ sslmode \(now PGSSLMODE\) is disable, allow, /);
  expect(envToConfig({ DATABASE_URL: `${databaseUrl}?sslmode=disable` })).toMatchObject({ host: '::' });
});

test('only variables of the service are read, and empty values count as unset', () => {
  for (const name of Object.keys(variables)) vi.stubEnv(name, '');
  vi.stubEnv('PORT', '5000');
  vi.stubEnv('SOMETHING_ELSE', '1');
  expect(readEnv()).toEqual({ PORT: '5000' });
});
