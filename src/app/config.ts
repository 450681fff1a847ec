import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { StartError } from '../kernel/errors/start-error.ts';
import { developmentOrigins, isOrigin } from '../platform/http/cors.ts';
import type { TracingConfig } from '../platform/observability/tracing.ts';

const optionalText = z.string().optional();
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' });
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });
const onOff = z.enum(['on', 'off']);

const redisForm = 'must be a redis:// or rediss:// URL, with a number as its path or none';

function integer(min: number, max: number) {
  return z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));
}

// Addresses alone: a count of hops would believe whoever reaches the service past its balancer.
function parseProxies(text: string, context: z.RefinementCtx): string[] {
  const proxies = text.split(',').flatMap((part) => part.trim() || []);
  try {
    proxyaddr.compile(proxies);
    return proxies;
  } catch {
    context.addIssue('must be addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal');
    return z.NEVER;
  }
}

function parseOrigins(text: string, context: z.RefinementCtx): string[] {
  const origins = text.split(',').flatMap((part) => part.trim() || []);
  if (text.trim() === '*' || (origins.length > 0 && origins.every(isOrigin))) return origins;
  context.addIssue('must be * alone, or origins such as https://app.example and http://localhost:*, without a path');
  return z.NEVER;
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

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
  .object({
    PORT: integer(0, 65_535).default(4000),
    HOST: optionalText,
    WORKERS: integer(1, 64).default(1),
    DATABASE_URL: postgresUrl.optional(),
    DATABASE_LISTEN_URL: postgresUrl.optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    DATABASE_PREPARED_STATEMENTS: onOff.default('on'),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: redisForm })
      .refine((url) => /^\/?\d*$/.test(URL.parse(url)?.pathname ?? ''), redisForm)
      .optional(),
    DATA_DIR: z.string().default('.data'),
    MANAGEMENT_PORT: integer(0, 65_535).optional(),
    MANAGEMENT_HOST: z.string().default('127.0.0.1'),
    MANAGEMENT_NAMES: z
      .string()
      .default('')
      .transform((text) => text.split(',').flatMap((name) => name.trim() || [])),
    LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    LOG_FORMAT: z.enum(['json', 'pretty']).optional(),
    SERVER_TIMING: onOff.optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
    OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
    OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
    NODE_ENV: optionalText,
    LOOKUP_PAGE_SIZE: integer(1, 1000).default(25),
    REFERENCE_ACCESS: z.enum(['public', 'partner']).default('public'),
    INTROSPECTION: onOff.default('on'),
    FEDERATION: onOff.default('off'),
    GRAPHQL_MAX_TOKENS: integer(1, 1_000_000).default(12_000),
    GRAPHQL_MAX_DEPTH: integer(1, 100).default(12),
    GRAPHQL_MAX_ALIASES: integer(0, 10_000).default(50),
    GRAPHQL_MAX_DIRECTIVES: integer(0, 10_000).default(50),
    GRAPHQL_MAX_COST: integer(1, 1_000_000_000).default(150_000),
    PERSISTED_QUERY_TTL: integer(0, 2_592_000).default(86_400),
    RATE_LIMIT: onOff.default('on'),
    RATE_LIMIT_WINDOW: integer(1, 86_400).default(60),
    RATE_LIMIT_TOKEN_READS: integer(1, 1_000_000_000).default(12_000),
    RATE_LIMIT_TOKEN_WRITES: integer(1, 1_000_000_000).default(6_000),
    RATE_LIMIT_ADDRESS_READS: integer(1, 1_000_000_000).default(24_000),
    RATE_LIMIT_ADDRESS_WRITES: integer(1, 1_000_000_000).default(12_000),
    CORS_ORIGINS: z.string().transform(parseOrigins).optional(),
    TRUST_PROXY: z.string().default('').transform(parseProxies),
    MAX_CONNECTIONS: integer(1, 1_000_000).default(5_000),
    MAX_EVENT_LOOP_DELAY: integer(0, 60_000).default(250),
    SHUTDOWN_DELAY: integer(0, 4).optional(),
  })
  .refine((env) => env.DATABASE_LISTEN_URL === undefined || env.DATABASE_URL !== undefined, {
    path: ['DATABASE_LISTEN_URL'],
    error: 'is for the PostgreSQL of DATABASE_URL, which is not set',
  })
  .refine((env) => env.WORKERS === 1 || env.DATABASE_URL !== undefined, {
    path: ['WORKERS'],
    error: 'more than 1 need DATABASE_URL, as the embedded database belongs to one process',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'WORKERS' || path?.[0] === 'DATABASE_URL'),
  })
  .transform((env) => ({
    port: env.PORT,
    // The embedded database is a single machine's: by default only that machine reaches it.
    host: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    /** How many processes serve, as one. */
    workers: env.WORKERS,
    databaseUrl: env.DATABASE_URL,
    /** Where announcements are listened to, past a pooler; undefined is at `databaseUrl`. */
    databaseListenUrl: env.DATABASE_LISTEN_URL,
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
    /** In seconds; 0 refuses persisted queries. */
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
export const variableNames = Object.keys(environment.in.shape) as (keyof typeof environment.in.shape)[];

type Env = Partial<Record<(typeof variableNames)[number], string>>;

/** The service's variables of the process environment; an empty one counts as not set. */
export function readEnv(): Env {
  return Object.fromEntries(variableNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The configuration that an environment means. Throws a StartError that names every mistake. */
export function envToConfig(env: Env): Config {
  const { data, error } = environment.safeParse(env);
  if (error) {
    const mistakes = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new StartError(`The environment is not valid:\n${mistakes.join('\n')}`);
  }
  return data;
}
