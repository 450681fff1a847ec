import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueToken } from '../../src/domain/partner/tokens/token.service.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-data.ts';
import type { TestApp } from './app.ts';

/** Issues a token of the demo partner, and writes it to the file that a first start writes. */
export async function putDemoToken({ db, dataDir }: TestApp): Promise<string> {
  const token = (await issueToken(db, demoPartner, { days: null })).token;
  if (dataDir !== '') await writeFile(join(dataDir, 'demo-token'), token);
  return token;
}
