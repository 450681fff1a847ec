import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashToken, parseBearer } from '../../../kernel/token.ts';
import { findCaller } from '../../partner/tokens/token.queries.ts';
import { issueToken } from '../../partner/tokens/token.service.ts';
import type { Database } from '../../tables.ts';
import { demoPartner } from './demo-data.ts';

/** Tells who started the embedded service where it is and how to try it, with the demo partner's token in a file. */
export async function writeWelcome(db: Database, dataDir: string, url: string): Promise<void> {
  const file = join(dataDir, 'demo-token');
  const refused = await ensureDemoToken(db, file);
  console.log(`
Partner gateway, embedded database in ${dataDir}
  Overview    ${url}/ (English and Arabic, to open in a browser)
  GraphQL     ${url}/graphql (a browser gets Apollo Sandbox)
  Explorer    ${url}/explorer (the same without the internet)
  REST        ${url}/partner_portal/v1
  Demo token  ${refused ?? file}
`);
  if (refused !== undefined) return;
  const query = '{"query":"{ viewer { company { name } items { nodes { id name tags { name } } } } }"}';
  const headers = `-H 'Content-Type: application/json' -H "Authorization: Bearer $(cat '${file}')"`;
  console.log(`  curl -s ${url}/graphql ${headers} -d '${query}'\n`);
}

/** The token of an earlier start serves on while it lives; says why when no new one can be issued. */
async function ensureDemoToken(db: Database, file: string): Promise<string | undefined> {
  const known = parseBearer(`Bearer ${(await readFile(file, 'utf8').catch(() => '')).trim()}`);
  if (known !== undefined && (await findCaller(db, hashToken(known))) !== undefined) return undefined;
  const issued = await issueToken(db, demoPartner, null);
  if ('refused' in issued) return issued.refused;
  // A new file, so that the mode is ours whatever was there.
  await rm(file, { force: true });
  await writeFile(file, `${issued.token}\n`, { mode: 0o600 });
  return undefined;
}
