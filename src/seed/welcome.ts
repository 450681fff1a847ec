import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCaller } from '../auth/token.queries.ts';
import { issueToken } from '../auth/token.service.ts';
import { hashToken, parseBearer } from '../auth/token.ts';
import type { Database } from '../database/database.ts';
import { demoPartner } from './demo-data.ts';

/** Tells who started the embedded service where it is and how to try it, with the demo partner's token in a file. */
export async function writeWelcome(db: Database, dataDir: string, url: string): Promise<void> {
  const file = await ensureDemoToken(db, dataDir);
  console.log(`
Partner gateway, embedded database in ${dataDir}
  GraphQL     ${url}/graphql (a browser gets Apollo Sandbox)
  REST        ${url}/partner_portal/v1
  Demo token  ${file}

  curl -s ${url}/graphql -H 'Content-Type: application/json' -H "Authorization: Bearer $(cat '${file}')" -d '{"query":"{ viewer { company { name } items { nodes { id name tags { name } } } } }"}'
`);
}

// The token of an earlier start serves on while it lives.
async function ensureDemoToken(db: Database, dataDir: string): Promise<string> {
  const file = join(dataDir, 'demo-token');
  const known = parseBearer(`Bearer ${(await readFile(file, 'utf8').catch(() => '')).trim()}`);
  if (known !== undefined && (await findCaller(db, hashToken(known))) !== undefined) return file;
  const issued = await issueToken(db, demoPartner, null);
  if ('refused' in issued) return `none: ${issued.refused}`;
  await writeFile(file, `${issued.token}\n`, { mode: 0o600 });
  return file;
}
