import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { StartError } from './errors/start-error.ts';

const optionalText = z.string().optional();
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

const environment = z
  .object({
    PORT: integer(0, 65_535).default(4000),
    HOST: optionalText,
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    DATABASE_PREPARED_STATEMENTS: onOff.default('on'),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: redisForm })
      .refine((url) => /^\/?\d*$/.test(URL.parse(url)?.pathname ?? ''), redisForm)
      .optional(),
    DATA_DIR: z.string().default('.data'),
    LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    LOOKUP_PAGE_SIZE: integer(1, 1000).default(25),
    REFERENCE_ACCESS: z.enum(['public', 'partner']).default('public'),
    INTROSPECTION: onOff.default('on'),
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
    TRUST_PROXY: z.string().default('').transform(parseProxies),
    MAX_EVENT_LOOP_DELAY: integer(0, 60_000).default(250),
    SHUTDOWN_DELAY: integer(0, 4).optional(),
  })
  .transform((env) => ({
    port: env.PORT,
    // The embedded database is a single machine's: by default only that machine reaches it.
    host: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS === 'on',
    /** What the replicas of the service share; undefined for a process alone. */
    redisUrl: env.REDIS_URL,
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    lookupPageSize: env.LOOKUP_PAGE_SIZE,
    referenceAccess: env.REFERENCE_ACCESS,
    introspection: env.INTROSPECTION === 'on',
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
    trustedProxies: env.TRUST_PROXY,
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
