import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueToken } from '../../src/domain/partner/tokens/issue-token.ts';
import { demoPartner } from '../../src/domain/reference/seed/demo-partners.ts';
import type { TestApp } from './test-app.ts';

/** Issues a demo partner's token and writes it to the same file as a first start. */
export async function putDemoToken({ db, dataDir }: TestApp): Promise<string> {
  const token = (await issueToken(db, demoPartner, { days: null })).token;
  if (dataDir !== '') await writeFile(join(dataDir, 'demo-token'), token);
  return token;
}
