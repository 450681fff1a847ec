import { parseArgs } from 'node:util';
import { listTokens, revokeToken } from './auth/token.queries.ts';
import { issueToken } from './auth/token.service.ts';
import { envToConfig, readEnv } from './config.ts';
import { connect } from './database/connect.ts';
import type { Database } from './database/database.ts';
import { ensureMigrated, migrateToLatest } from './database/migrate.ts';
import { StartError } from './errors/start-error.ts';
import { createLog } from './http/log.ts';
import { seedDemo } from './seed/demo.ts';
import { seedReferenceData } from './seed/reference.ts';

const usage = `Usage: npm run -s admin -- COMMAND
  migrate                                  bring the database to the newest migration
  seed [--demo]                            bring the reference data up to date; --demo adds the demo partners
  token issue --partner NAME [--days N]    print a new token, valid for N days (365), and nothing else
  token revoke ID                          end a token now
  token list                               list all tokens (their text is not stored)`;

type Command = (db: Database) => Promise<string>;

try {
  const args = process.argv.slice(2);
  console.log(args.includes('--help') ? usage : await run(parseCommand(args)));
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exitCode = 1;
}

async function run(command: Command): Promise<string> {
  const { db, close } = await connect(envToConfig(readEnv()), createLog('warn'), { timeouts: false });
  try {
    if (command !== migrate) await ensureMigrated(db);
    return await command(db);
  } finally {
    await close();
  }
}

function parseCommand(args: string[]): Command {
  const { values, positionals } = parse(args);
  const [noun, verb, id, ...rest] = positionals;
  if (rest.length > 0) throw new StartError(usage);
  const { partner, days = '365', demo = false } = values;
  if (noun === 'migrate' && verb === undefined) return migrate;
  if (noun === 'seed' && verb === undefined) return (db) => seed(db, demo);
  if (noun === 'token' && verb === 'list' && id === undefined) return list;
  if (
    noun === 'token' &&
    verb === 'issue' &&
    id === undefined &&
    partner !== undefined &&
    /^[1-9]\d{0,4}$/.test(days)
  ) {
    return (db) => issue(db, partner, Number(days));
  }
  if (noun === 'token' && verb === 'revoke' && /^[1-9]\d{0,8}$/.test(id ?? '')) return (db) => revoke(db, Number(id));
  throw new StartError(usage);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { partner: { type: 'string' }, days: { type: 'string' }, demo: { type: 'boolean' } },
    });
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${usage}`);
  }
}

async function migrate(db: Database): Promise<string> {
  const names = await migrateToLatest(db);
  return names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`;
}

async function seed(db: Database, demo: boolean): Promise<string> {
  await seedReferenceData(db);
  if (demo) await seedDemo(db);
  return `Reference data is up to date${demo ? ', demo partners are there' : ''}.`;
}

async function issue(db: Database, partner: string, days: number): Promise<string> {
  const issued = await issueToken(db, partner, days);
  if ('refused' in issued) throw new StartError(issued.refused);
  return issued.token;
}

async function revoke(db: Database, id: number): Promise<string> {
  if (!(await revokeToken(db, id))) throw new StartError(`There is no token ${id}.`);
  return `Token ${id} is revoked.`;
}

async function list(db: Database): Promise<string> {
  const rows = (await listTokens(db)).map((token) =>
    [
      token.id,
      token.live ? 'live' : token.revokedAt ? 'revoked' : 'expired',
      token.partner,
      `issued ${token.createdAt.toISOString()}`,
      token.expiresAt ? `expires ${token.expiresAt.toISOString()}` : 'does not expire',
      token.lastUsedAt ? `last used ${token.lastUsedAt.toISOString()}` : 'never used',
    ].join('\t'),
  );
  return rows.length === 0 ? 'No tokens.' : rows.join('\n');
}
