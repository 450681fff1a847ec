import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../kernel/errors/start-error.ts';
import { hashToken, parseBearer } from '../../../kernel/token.ts';
import { selectCaller } from '../../partner/tokens/token.queries.ts';
import { issueToken } from '../../partner/tokens/token.service.ts';
import type { Database } from '../../tables.ts';
import { demoPartner } from './demo-data.ts';

/** Prints where the embedded service is and how to try it. The demo partner's token is in a file. */
export async function writeWelcome(db: Database, dataDir: string, url: string): Promise<void> {
  const file = join(dataDir, 'demo-token');
  const rejected = await ensureDemoToken(db, file);
  console.log(`
Partner gateway, embedded database in ${dataDir}
  Overview    ${url}/ (English and Arabic)
  GraphQL     ${url}/graphql (opens Apollo Sandbox in a browser)
  Explorer    ${url}/explorer (GraphQL, offline)
  REST        ${url}/partner_portal/v1 (reference: ${url}/docs)
  Demo token  ${rejected ?? file}
`);
  if (rejected !== undefined) return;
  const token = `-H "Authorization: Bearer $(cat '${file}')"`;
  const query = '{"query":"{ viewer { company { name } items { nodes { id name tags { name } } } } }"}';
  console.log(`  curl -s ${url}/partner_portal/v1/services -H 'Accept-Language: ar'`);
  console.log(`  curl -s ${url}/graphql ${token} --json '${query}'\n`);
}

/** Keeps the token of an earlier start while it is live; returns why no new one can be issued. */
async function ensureDemoToken(db: Database, file: string): Promise<string | undefined> {
  const known = parseBearer(`Bearer ${(await readFile(file, 'utf8').catch(() => '')).trim()}`);
  if (known !== undefined && (await selectCaller(db, { tokenHash: hashToken(known) })).length > 0) return undefined;
  try {
    const token = await issueToken(db, demoPartner, null);
    // A new file, so that it has this mode whatever was there.
    await rm(file, { force: true });
    await writeFile(file, `${token}\n`, { mode: 0o600 });
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
