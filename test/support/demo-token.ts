import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueToken } from '../../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import type { TestApp } from './app.ts';

/** Puts a token of the demo partner's where a service that started for the first time has one, if anywhere; returns it. */
export async function putDemoToken({ db, dataDir }: TestApp): Promise<string> {
  const token = (await issueToken(db, demoPartner, { days: null })).token;
  if (dataDir !== '') await writeFile(join(dataDir, 'demo-token'), token);
  return token;
}
