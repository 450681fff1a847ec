import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { OperatorError } from '../../../kernel/errors/operator-error.ts';
import { hashToken, parseAuthorization } from '../../../kernel/token.ts';
import { replaceFile } from '../../../platform/files.ts';
import { issueToken } from '../../partner/tokens/issue-token.ts';
import { findCaller } from '../../partner/tokens/tokens.ts';
import type { Database } from '../../tables.ts';
import { demoPartner } from './demo-partners.ts';

export const demoTokenFile = (dataDir: string) => join(dataDir, 'demo-token');

export async function readDemoToken(dataDir: string): Promise<string | undefined> {
  const text = await readFile(demoTokenFile(dataDir), 'utf8').catch(() => '');
  return parseAuthorization(`Bearer ${text.trim()}`);
}

/** Keeps a live token in the data folder. If none can be issued, logs why and deletes the file. */
export async function ensureDemoToken(db: Database, dataDir: string, log: Logger): Promise<void> {
  const file = demoTokenFile(dataDir);
  const existing = await readDemoToken(dataDir);
  if (existing !== undefined && (await findCaller(db, hashToken(existing))) !== undefined) return;
  await rm(file, { force: true });
  try {
    const { token } = await issueToken(db, demoPartner, { days: null });
    // Renamed once complete, because programs wait for the file.
    replaceFile(`${file}.new`, `${token}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    log.warn({ reason: error.message }, 'could not issue a demo token');
  }
}
