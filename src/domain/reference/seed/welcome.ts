import { rename, rm } from 'node:fs/promises';
import type { Logger } from 'pino';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { hashToken } from '../../../kernel/token.ts';
import { replaceFile } from '../../../platform/files.ts';
import { issueToken } from '../../partner/tokens/issue-token.ts';
import { findCaller } from '../../partner/tokens/tokens.ts';
import type { Database } from '../../tables.ts';
import { demoPartner } from './demo-data.ts';
import { demoTokenFile, readDemoToken } from './demo-token.ts';

/**
 * Writes a live token of the demo partner to the data folder, unless the token there is still live. If no token can be
 * issued, logs why and deletes the file.
 */
export async function ensureDemoToken(db: Database, dataDir: string, log: Logger): Promise<void> {
  const file = demoTokenFile(dataDir);
  const known = await readDemoToken(dataDir);
  if (known !== undefined && (await findCaller(db, hashToken(known))) !== undefined) return;
  await rm(file, { force: true });
  try {
    const { token } = await issueToken(db, demoPartner, { days: null });
    // Renamed once complete, because programs wait for the file.
    replaceFile(`${file}.new`, `${token}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn({ reason: error.message }, 'there is no demo token');
  }
}

/** The text that tells developers where the embedded service runs and how to try it. */
export function welcome(dataDir: string, url: string): string {
  const file = demoTokenFile(dataDir);
  const token = `-H "Authorization: Bearer $(cat '${file}')"`;
  const query = '{"query":"{ company { name } items { nodes { id name tags { nodes { name } } } } }"}';
  return `
Partner gateway, embedded database in ${dataDir}
  Overview    ${url}/ (English and Arabic)
  GraphQL     ${url}/graphql (opens Apollo Sandbox in a browser)
  Explorer    ${url}/explorer (GraphQL, offline)
  REST        ${url}/partner_portal/v1 (reference: ${url}/docs)
  Demo token  ${file}

  curl -s ${url}/partner_portal/v1/services -H 'Accept-Language: ar'
  curl -s ${url}/graphql ${token} -H 'Content-Type: application/json' -d '${query}'

`;
}
