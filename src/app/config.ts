import proxyaddr from 'proxy-addr';
import { z } from 'zod';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { checkDatabaseUrl } from '../platform/database/url.ts';
import { developmentOrigins, isOrigin } from '../platform/http/cors.ts';
import { allAddresses } from '../platform/http/server.ts';

// Messages complete "NAME must be ...". Trimmed, because Windows line endings leave a carriage return.
const text = z.string().trim();
const address = text.min(1, 'an address');
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http:// or https:// URL' });
const postgresUrl = text.superRefine((url, context) => {
  const requirement = checkDatabaseUrl(url);
  if (requirement !== undefined) context.addIssue(requirement);
});
const redisForm = 'a redis:// or rediss:// URL whose path is a database number or empty';
const redisUrl = z
  .url({ protocol: /^rediss?$/, error: redisForm })
  // Without slashes, `redis:6379` would name a database of this machine.
  .refine((url) => /^rediss?:\/\//i.test(url) && /^\/?\d*$/.test(URL.parse(url)?.pathname ?? ''), redisForm);
const onOff = oneOf('on', 'off').transform((value) => value === 'on');
const share = text.transform(Number).refine((value) => value >= 0 && value <= 1, 'a number from 0 to 1');

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return text.pipe(z.enum(values, `one of ${values.join(', ')}`));
}

// OpenTelemetry ignores the case of these values.
function oneOfIgnoringCase<const Values extends readonly string[]>(...values: Values) {
  return text.toLowerCase().pipe(oneOf(...values));
}

function integer(min: number, max: number) {
  const isInRange = (digits: string) => /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max;
  return text.refine(isInRange, `a whole number from ${min} to ${max}`).transform(Number);
}

function listOf(isValid: (items: string[]) => boolean, form: string) {
  return text.transform((list) => list.split(',').flatMap((item) => item.trim() || [])).refine(isValid, form);
}

const originsForm =
  '* alone, or origins such as https://app.example, http://localhost:* and capacitor://localhost, without a path';
const areOrigins = (items: string[]) => items.join() === '*' || (items.length > 0 && items.every(isOrigin));

// Hop counts would trust clients that bypass the load balancer. The parser reads 1 as 0.0.0.1.
const hopCount = /^\d+(?:\/\d+)?$/;
const proxiesForm = 'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal';
function areProxies(items: string[]): boolean {
  try {
    return !items.some((item) => hopCount.test(item)) && Boolean(proxyaddr.compile(items));
  } catch {
    return false;
  }
}

function removed(formerDefault: string, reason: string) {
  return text.refine((value) => value === formerDefault, reason).optional();
}

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const roots = ['always_on', 'always_off', 'traceidratio'] as const;
const samplers = [...roots, ...roots.map((name) => `parentbased_${name}` as const)];
const protocols = ['http/json', 'http/protobuf'] as const;
const million = 1_000_000;
const rate = integer(1, 1000 * million);

/** docs/operations/configuration.md and .env.example describe them. */
export const variables = {
  PORT: integer(0, 65_535).default(4000),
  HOST: address.optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: integer(1, 1000).default(10),
  DATABASE_PREPARED_STATEMENTS: onOff.prefault('on'),
  EMBEDDED_DATABASE: onOff.optional(),
  REDIS_URL: redisUrl.optional(),
  DATA_DIR: text.min(1, 'a folder').default('.data'),
  MANAGEMENT_PORT: integer(0, 65_535).optional(),
  MANAGEMENT_HOST: address.default('127.0.0.1'),
  MANAGEMENT_NAMES: listOf(() => true, '').prefault(''),
  LOG_LEVEL: oneOf(...levels).default('info'),
  LOG_FORMAT: oneOf('json', 'pretty').optional(),
  OTEL_SDK_DISABLED: oneOfIgnoringCase('true', 'false').default('false'),
  OTEL_TRACES_EXPORTER: oneOfIgnoringCase('otlp', 'none').default('otlp'),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOfIgnoringCase(...protocols).default('http/json'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: oneOfIgnoringCase(...protocols).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_TRACES_SAMPLER: oneOfIgnoringCase(...samplers).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: share.prefault('1'),
  NODE_ENV: text.optional(),
  LOOKUP_PAGE_SIZE: integer(1, 1000).default(25),
  REFERENCE_ACCESS: oneOf('public', 'partner').default('public'),
  INTROSPECTION: onOff.prefault('on'),
  // The maximums keep small reads of other callers below a second.
  GRAPHQL_MAX_TOKENS: integer(1, 1_000).default(1_000),
  GRAPHQL_MAX_DEPTH: integer(1, 100).default(12),
  GRAPHQL_MAX_COST: integer(1, 50_000).default(50_000),
  RATE_LIMIT: onOff.prefault('on'),
  RATE_LIMIT_WINDOW: integer(1, 86_400).default(60),
  RATE_LIMIT_TOKEN_READS: rate.default(12_000),
  RATE_LIMIT_TOKEN_WRITES: rate.default(6_000),
  RATE_LIMIT_ADDRESS_READS: rate.default(24_000),
  RATE_LIMIT_ADDRESS_WRITES: rate.default(12_000),
  CORS_ORIGINS: listOf(areOrigins, originsForm).optional(),
  TRUST_PROXY: listOf(areProxies, proxiesForm).prefault(''),
  MAX_CONNECTIONS: integer(1, million).default(2_000),
  SHUTDOWN_DELAY: integer(0, 4).optional(),
  ADMIN_USER: text.optional(),
};

/** The service does not start with one of these, unless it has its former default. */
const removedVariables = {
  FEDERATION: removed('off', 'the service is no longer a subgraph'),
  PERSISTED_QUERY_TTL: removed('86400', 'persisted queries are stored while there is room'),
  ERROR_DOCS_URL: removed('', 'error types link to the guide of the service'),
};

const environment = z
  .object({ ...variables, ...removedVariables })
  // A misspelled DATABASE_URL must not start a production service on an empty database.
  .refine((env) => env.DATABASE_URL !== undefined || (env.EMBEDDED_DATABASE ?? env.NODE_ENV !== 'production'), {
    path: ['DATABASE_URL'],
    error: 'set, or EMBEDDED_DATABASE must be on to keep data in DATA_DIR',
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'DATABASE_URL' || path?.[0] === 'EMBEDDED_DATABASE'),
  })
  .transform((env) => {
    const isEmbedded = env.DATABASE_URL === undefined;
    // OpenTelemetry: the general endpoint is a base URL, the traces endpoint a full URL.
    const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
    const tracesUrl = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
    return {
      ...toCamelCaseKeys(env),
      // The embedded database makes the service reachable only from this machine by default.
      host: env.HOST ?? (isEmbedded ? '127.0.0.1' : allAddresses),
      demo: isEmbedded && env.EMBEDDED_DATABASE === undefined,
      management:
        env.MANAGEMENT_PORT === undefined
          ? undefined
          : { port: env.MANAGEMENT_PORT, host: env.MANAGEMENT_HOST, names: env.MANAGEMENT_NAMES },
      tracing:
        tracesUrl === undefined
          ? undefined
          : {
              url: tracesUrl,
              protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL,
              sampler: env.OTEL_TRACES_SAMPLER,
              ratio: env.OTEL_TRACES_SAMPLER_ARG,
            },
      documentLimits: {
        tokens: env.GRAPHQL_MAX_TOKENS,
        depth: env.GRAPHQL_MAX_DEPTH,
        cost: env.GRAPHQL_MAX_COST,
      },
      rateLimits: env.RATE_LIMIT
        ? {
            window: env.RATE_LIMIT_WINDOW,
            token: { reads: env.RATE_LIMIT_TOKEN_READS, writes: env.RATE_LIMIT_TOKEN_WRITES },
            address: { reads: env.RATE_LIMIT_ADDRESS_READS, writes: env.RATE_LIMIT_ADDRESS_WRITES },
          }
        : undefined,
      corsOrigins: env.CORS_ORIGINS ?? (isEmbedded ? developmentOrigins : []),
      trustedProxies: env.TRUST_PROXY,
      /** In ms. Lets load balancers stop routing here; shorter where a person waits. */
      shutdownDelay: 1_000 * (env.SHUTDOWN_DELAY ?? (isEmbedded ? 1 : 3)),
    };
  });

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Others}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Others>>}`
  : Lowercase<Name>;

function toCamelCaseKeys<Values extends object>(values: Values) {
  const camelCase = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [camelCase(name), value])) as {
    [Name in keyof Values & string as CamelCase<Name>]: Values[Name];
  };
}

export type Config = z.output<typeof environment>;

type Env = Partial<Record<keyof typeof variables | keyof typeof removedVariables, string>>;

/** Empty variables count as unset. */
export function readEnv(): Env {
  // Read one by one, because Windows ignores the case of names.
  return Object.fromEntries(
    Object.keys({ ...variables, ...removedVariables }).flatMap((name) =>
      process.env[name] ? [[name, process.env[name]]] : [],
    ),
  );
}

/** Throws an OperatorError with a sentence per invalid variable. */
export function envToConfig(env: Env): Config {
  const { data, error } = environment.safeParse(withoutDisabledTraces(env));
  if (!error) return data;
  const byName = Map.groupBy(error.issues, ({ path }) => path[0] as keyof Env);
  const sentences = [...byName].map(([name, [issue]]) => {
    if (name in removedVariables) return `${name} is no longer supported: ${issue?.message}. Remove it.`;
    // URLs may contain passwords.
    const value = /_(?:URL|ENDPOINT)$/.test(name) ? '' : `; it is ${(env[name] ?? '').trim() || 'blank'}`;
    return `${name} must be ${issue?.message}${value}.`;
  });
  throw new OperatorError(sentences.join('\n'));
}

// With traces off, values for other exporters must not stop the service.
function withoutDisabledTraces(env: Env): Env {
  const normalize = (value = '') => value.trim().toLowerCase();
  const isDisabled = normalize(env.OTEL_SDK_DISABLED) === 'true' || normalize(env.OTEL_TRACES_EXPORTER) === 'none';
  return isDisabled ? Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('OTEL_'))) : env;
}
