import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAuthorization } from '../../../kernel/token.ts';

export const demoTokenFile = (dataDir: string) => join(dataDir, 'demo-token');

/** The token in that file; undefined if it is missing. */
export async function readDemoToken(dataDir: string): Promise<string | undefined> {
  const text = await readFile(demoTokenFile(dataDir), 'utf8').catch(() => '');
  return parseAuthorization(`Bearer ${text.trim()}`);
}
