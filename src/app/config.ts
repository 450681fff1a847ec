import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { StartError } from '../kernel/errors/start-error.ts';
import { developmentOrigins, isOrigin } from '../platform/http/cors.ts';
import type { TracingConfig } from '../platform/observability/tracing.ts';

// The message of each check completes the sentence "NAME must be ...".
const text = z.string();
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http:// or https:// URL' });
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' });
const redisForm = 'a redis:// or rediss:// URL whose path is a database number or empty';
const redisUrl = z
  .url({ protocol: /^rediss?$/, error: redisForm })
  .refine((url) => /^\/?\d*$/.test(URL.parse(url)?.pathname ?? ''), redisForm);
const onOff = oneOf('on', 'off');

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return z.enum(values, `one of ${values.join(', ')}`);
}

function integer(min: number, max: number) {
  const isInRange = (digits: string) => /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max;
  return text.refine(isInRange, `a whole number from ${min} to ${max}`).transform(Number);
}

function integerOr(fallback: number, min: number, max: number) {
  return integer(min, max).default(fallback);
}

function listOf(isValid: (items: string[]) => boolean, form: string) {
  return text.transform((list) => list.split(',').flatMap((item) => item.trim() || [])).refine(isValid, form);
}

const originsForm = '* alone, or origins such as https://app.example and http://localhost:*, without a path';
const areOrigins = (items: string[]) => items.join() === '*' || (items.length > 0 && items.every(isOrigin));

// A number of hops would trust clients that reach the service past its balancer.
const proxiesForm = 'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal';
function areProxies(items: string[]): boolean {
  try {
    return Boolean(proxyaddr.compile(items));
  } catch {
    return false;
  }
}

const million = 1_000_000;
const ofDocument = 'of a GraphQL document; larger documents are rejected before they run.';
const perWindow = 'per window.';

/** Every environment variable of the service; the descriptions make .env.example. */
export const variables = {
  PORT: integerOr(4000, 0, 65_535).describe('Port to listen on; 0 picks a free one.'),
  HOST: text
    .optional()
    .describe('Address to listen on. Default: 127.0.0.1 with the embedded database, 0.0.0.0 with PostgreSQL.'),
  WORKERS: integerOr(1, 1, 64).describe(
    'Processes that serve on one port, 1 to 64. More than 1 requires DATABASE_URL. Without REDIS_URL, each counts rate limits on its own.',
  ),
  DATABASE_URL: postgresUrl
    .optional()
    .describe(
      'PostgreSQL, such as postgres://user:password@db.example:5432/gateway. Default: PGlite, embedded, in DATA_DIR.',
    ),
  DATABASE_POOL_SIZE: integerOr(10, 1, 1000).describe(
    'Maximum number of connections to PostgreSQL for each process, 1 to 1000.',
  ),
  DATABASE_PREPARED_STATEMENTS: onOff
    .default('on')
    .describe(
      'on or off: prepare each statement once per connection. Off behind a PgBouncer before 1.21 in transaction mode.',
    ),
  REDIS_URL: redisUrl
    .optional()
    .describe(
      'Redis, such as redis://cache.example:6379, for the rate limits and persisted queries that replicas share. Default: none.',
    ),
  DATA_DIR: text.default('.data').describe('Folder of the embedded database and the demo token.'),
  MANAGEMENT_PORT: integer(0, 65_535)
    .optional()
    .describe('Port of /metrics, /livez and /readyz for operators; 0 picks a free one. Default: none.'),
  MANAGEMENT_HOST: text.default('127.0.0.1').describe('Address of the management port.'),
  MANAGEMENT_NAMES: listOf(() => true, '')
    .prefault('')
    .describe(
      'Host names of the management port in requests to it, comma-separated, besides IP addresses, localhost and MANAGEMENT_HOST.',
    ),
  LOG_LEVEL: oneOf('silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace')
    .default('info')
    .describe('silent, fatal, error, warn, info, debug or trace.'),
  LOG_FORMAT: oneOf('json', 'pretty')
    .optional()
    .describe('json or pretty. Default: pretty on a terminal, json elsewhere.'),
  SERVER_TIMING: onOff
    .optional()
    .describe(
      'on or off: responses have their duration in Server-Timing. Default: on with NODE_ENV=development, otherwise off.',
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'Base URL of an OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318. Default: no traces.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl
    .optional()
    .describe('Full URL for traces. Default: the base URL with /v1/traces.'),
  OTEL_TRACES_SAMPLER: oneOf(
    'always_on',
    'always_off',
    'traceidratio',
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
  )
    .default('parentbased_always_on')
    .describe(
      'always_on, always_off, traceidratio, or parentbased_ with one of these, which follows the decision of the caller.',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('a number from 0 to 1')
    .min(0, 'a number from 0 to 1')
    .max(1, 'a number from 0 to 1')
    .default(1)
    .describe('Share of traces that the ratio samplers record, 0 to 1.'),
  NODE_ENV: text.optional().describe('development turns on SERVER_TIMING; other values have no effect.'),
  LOOKUP_PAGE_SIZE: integerOr(25, 1, 1000).describe('Records per page of a lookup, 1 to 1000.'),
  REFERENCE_ACCESS: oneOf('public', 'partner')
    .default('public')
    .describe('public, or partner: reference data needs a token too.'),
  INTROSPECTION: onOff.default('on').describe('on or off: GraphQL introspection queries.'),
  FEDERATION: onOff
    .default('off')
    .describe('on or off: the schema is a subgraph of Apollo Federation 2, with _service and _entities.'),
  GRAPHQL_MAX_TOKENS: integerOr(12_000, 1, million).describe(`Tokens ${ofDocument}`),
  GRAPHQL_MAX_DEPTH: integerOr(12, 1, 100).describe(`Depth of the fields, at most 100, ${ofDocument}`),
  GRAPHQL_MAX_ALIASES: integerOr(50, 0, 10_000).describe(`Aliases and repeated fields ${ofDocument}`),
  GRAPHQL_MAX_DIRECTIVES: integerOr(50, 0, 10_000).describe(`Directives ${ofDocument}`),
  GRAPHQL_MAX_COST: integerOr(150_000, 1, 1000 * million).describe(
    `Estimated fields in the response ${ofDocument} Without a live token, 50,000 at most.`,
  ),
  PERSISTED_QUERY_TTL: integerOr(86_400, 0, 2_592_000).describe(
    'Seconds for which a persisted query is stored, at most 30 days; 0 rejects persisted queries.',
  ),
  RATE_LIMIT: onOff
    .default('on')
    .describe('on or off: rate limits per token and per address, separately for reads and writes.'),
  RATE_LIMIT_WINDOW: integerOr(60, 1, 86_400).describe('Window of the rate limits in seconds.'),
  RATE_LIMIT_TOKEN_READS: integerOr(12_000, 1, 1000 * million).describe(`Reads of a token ${perWindow}`),
  RATE_LIMIT_TOKEN_WRITES: integerOr(6_000, 1, 1000 * million).describe(`Writes of a token ${perWindow}`),
  RATE_LIMIT_ADDRESS_READS: integerOr(24_000, 1, 1000 * million).describe(`Reads of an address ${perWindow}`),
  RATE_LIMIT_ADDRESS_WRITES: integerOr(12_000, 1, 1000 * million).describe(`Writes of an address ${perWindow}`),
  ERROR_DOCS_URL: httpUrl
    .optional()
    .describe(
      'Page that documents the error codes, such as https://gateway.example/guides/errors. The type of a REST error is this URL with #code. Default: about:blank.',
    ),
  CORS_ORIGINS: listOf(areOrigins, originsForm)
    .optional()
    .describe(
      'Origins whose pages may read responses (CORS), such as https://app.example,http://localhost:* (:* is any port), or * for all. Default: Apollo Studio and localhost with the embedded database, none with PostgreSQL.',
    ),
  TRUST_PROXY: listOf(areProxies, proxiesForm)
    .prefault('')
    .describe(
      'Balancers whose X-Forwarded-For is trusted: addresses, subnets, or loopback, linklocal, uniquelocal. Default: none.',
    ),
  MAX_CONNECTIONS: integerOr(2_000, 1, million).describe(
    'Maximum number of open connections of each process; further ones are closed at once. One address may have half of them, an address of TRUST_PROXY all.',
  ),
  MAX_EVENT_LOOP_DELAY: integerOr(250, 0, 60_000).describe(
    'Milliseconds of event-loop lag beyond which the service rejects the callers that send most (503); 0 never rejects.',
  ),
  SHUTDOWN_DELAY: integer(0, 4)
    .optional()
    .describe(
      'Seconds after SIGTERM in which the service still serves requests while /readyz returns 503, 0 to 4. Default: 1 with the embedded database, 3 with PostgreSQL.',
    ),
  ADMIN_USER: text
    .optional()
    .describe('Name in the log of changes that the admin command makes. Default: the user of the operating system.'),
  OLD_TOKEN: text.optional().describe('Bearer token that admin compare sends to the old service. Default: none.'),
  NEW_TOKEN: text.optional().describe('Bearer token that admin compare sends to the new service. Default: none.'),
};

// As OpenTelemetry has it: the general endpoint is a base, that of traces the URL itself.
function tracingOf(env: {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  OTEL_TRACES_SAMPLER: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}): TracingConfig | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  return url === undefined ? undefined : { url, sampler: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG };
}

const environment = z
  .object(variables)
  .refine((env) => env.WORKERS === 1 || env.DATABASE_URL !== undefined, {
    path: ['WORKERS'],
    error: '1 without DATABASE_URL, because the embedded database belongs to one process',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'WORKERS' || path?.[0] === 'DATABASE_URL'),
  })
  .transform((env) => ({
    port: env.PORT,
    // The embedded database is a single machine's: by default only that machine reaches it.
    host: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    /** How many processes serve, as one. */
    workers: env.WORKERS,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS === 'on',
    /** What the replicas of the service share; undefined for a process alone. */
    redisUrl: env.REDIS_URL,
    dataDir: env.DATA_DIR,
    /** Where metrics and probes are served apart; undefined for nowhere. */
    management:
      env.MANAGEMENT_PORT === undefined
        ? undefined
        : { port: env.MANAGEMENT_PORT, host: env.MANAGEMENT_HOST, names: env.MANAGEMENT_NAMES },
    logLevel: env.LOG_LEVEL,
    /** Undefined leaves it to where the log goes. */
    logFormat: env.LOG_FORMAT,
    serverTiming: (env.SERVER_TIMING ?? (env.NODE_ENV === 'development' ? 'on' : 'off')) === 'on',
    tracing: tracingOf(env),
    lookupPageSize: env.LOOKUP_PAGE_SIZE,
    referenceAccess: env.REFERENCE_ACCESS,
    introspection: env.INTROSPECTION === 'on',
    federation: env.FEDERATION === 'on',
    documentLimits: {
      tokens: env.GRAPHQL_MAX_TOKENS,
      depth: env.GRAPHQL_MAX_DEPTH,
      aliases: env.GRAPHQL_MAX_ALIASES,
      directives: env.GRAPHQL_MAX_DIRECTIVES,
      cost: env.GRAPHQL_MAX_COST,
    },
    /** In seconds; 0 rejects persisted queries. */
    persistedQueryTtl: env.PERSISTED_QUERY_TTL,
    rateLimits:
      env.RATE_LIMIT === 'off'
        ? undefined
        : {
            /** Seconds for which requests are counted. */
            window: env.RATE_LIMIT_WINDOW,
            token: { reads: env.RATE_LIMIT_TOKEN_READS, writes: env.RATE_LIMIT_TOKEN_WRITES },
            address: { reads: env.RATE_LIMIT_ADDRESS_READS, writes: env.RATE_LIMIT_ADDRESS_WRITES },
          },
    errorDocsUrl: env.ERROR_DOCS_URL,
    corsOrigins: env.CORS_ORIGINS ?? (env.DATABASE_URL === undefined ? developmentOrigins : []),
    trustedProxies: env.TRUST_PROXY,
    /** Of each process; further connections are closed at once. */
    maxConnections: env.MAX_CONNECTIONS,
    /** In ms; 0 is without limit. */
    maxEventLoopDelay: env.MAX_EVENT_LOOP_DELAY,
    /** In ms. A balancer needs it to look elsewhere; whoever stops the embedded service is waiting for it. */
    shutdownDelay: 1_000 * (env.SHUTDOWN_DELAY ?? (env.DATABASE_URL === undefined ? 1 : 3)),
  }));

export type Config = z.output<typeof environment>;

/** Names of the environment variables that the service reads. */
export const variableNames = Object.keys(variables) as (keyof typeof variables)[];

type Env = Partial<Record<keyof typeof variables, string>>;

/** The service's variables of the process environment; an empty one counts as not set. */
export function readEnv(): Env {
  return Object.fromEntries(variableNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The configuration of an environment. Throws a StartError with one sentence per mistake. */
export function envToConfig(env: Env): Config {
  const { data, error } = environment.safeParse(env);
  if (!error) return data;
  const sentences = error.issues.map(({ path, message }) => {
    const name = path[0] as keyof Env;
    // URLs may contain passwords.
    const value = /_(?:URL|ENDPOINT)$/.test(name) ? '' : `; it is ${(env[name] ?? '').trim() || 'blank'}`;
    return `${name} must be ${message}${value}.`;
  });
  throw new StartError(sentences.join('\n'));
}
