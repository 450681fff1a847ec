import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envToConfig } from '../src/app/config.ts';
import { issueToken } from '../src/domain/partner/tokens/token.service.ts';
import { TokenUsage } from '../src/domain/partner/tokens/token-usage.ts';
import { ReferenceData } from '../src/domain/reference/reference-data.ts';
import { seedDemo } from '../src/domain/reference/seed/demo.ts';
import { demoPartner } from '../src/domain/reference/seed/demo-data.ts';
import { seedReferenceData } from '../src/domain/reference/seed/reference.ts';
import { contextFactory } from '../src/domain/request/context-factory.ts';
import { connect } from '../src/platform/database/connect.ts';
import { migrateToLatest } from '../src/platform/database/migrate.ts';
import { createLog } from '../src/platform/observability/log.ts';
import { createSchema } from '../src/surfaces/graphql/schema.ts';
import { createGraphQLServer } from '../src/surfaces/graphql/server.ts';
import { askTagExamples } from '../src/surfaces/pages/tag-examples.ts';

// Writes the examples of the routes that write, by running them in a database of their own; with --check only says whether
// the committed ones are stale.
const file = new URL('../../src/surfaces/pages/tag-examples.generated.json', import.meta.url);
const answered = `${JSON.stringify(await runExamples(), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8')) !== answered) {
    console.error('src/surfaces/pages/tag-examples.generated.json is stale: run npm run generate');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, answered);
}

async function runExamples() {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-gateway-examples-'));
  const config = envToConfig({ DATA_DIR: dataDir });
  const log = createLog('error');
  const { db, close } = await connect(config, log);
  await migrateToLatest(db);
  await seedReferenceData(db);
  await seedDemo(db);
  const issued = await issueToken(db, demoPartner, null);
  if ('refused' in issued) throw new Error(issued.refused);
  const graphql = createGraphQLServer(createSchema('public').schema, config, log);
  await graphql.start();
  const { lookupPageSize } = config;
  const referenceData = new ReferenceData(db);
  const createContext = contextFactory({
    db,
    countRequest: async () => {},
    lookupPageSize,
    referenceData,
    tokenUsage: new TokenUsage(),
  });
  const parts = { graphql, createContext, log, token: issued.token };
  const en = await askTagExamples({ ...parts, locale: 'en' });
  const ar = await askTagExamples({ ...parts, locale: 'ar' });
  await graphql.stop();
  await close();
  await rm(dataDir, { recursive: true });
  return { en, ar };
}
