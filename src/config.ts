import { z } from 'zod';
import { StartError } from './errors/start-error.ts';

const optionalText = z.string().optional();

function integer(min: number, max: number) {
  return z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));
}

const environment = z
  .object({
    PORT: integer(0, 65_535).default(4000),
    HOST: optionalText,
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }).optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    DATA_DIR: z.string().default('.data'),
    LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    LOOKUP_PAGE_SIZE: integer(1, 1000).default(25),
    REFERENCE_ACCESS: z.enum(['public', 'partner']).default('public'),
    INTROSPECTION: z.enum(['on', 'off']).default('on'),
  })
  .transform((env) => ({
    port: env.PORT,
    // The embedded database is a single machine's: by default only that machine reaches it.
    host: env.HOST ?? (env.DATABASE_URL === undefined ? '127.0.0.1' : '0.0.0.0'),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    lookupPageSize: env.LOOKUP_PAGE_SIZE,
    referenceAccess: env.REFERENCE_ACCESS,
    introspection: env.INTROSPECTION === 'on',
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
