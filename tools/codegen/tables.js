import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, PostgresDialect } from 'kysely-codegen';
import { connect } from '../../src/platform/database/connect.ts';
import { migrateToLatest } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/observability/log.ts';

// Writes the types of the tables that the migrations create in an embedded database; with --check, only says whether they are stale.
const file = new URL('../../src/domain/tables.generated.ts', import.meta.url);
const itemType = '"product" | "modifier_group" | "modifier"';
const dataDir = await mkdtemp(join(tmpdir(), 'partner-gateway-tables-'));
const config = { databaseUrl: undefined, dataDir, databasePoolSize: 1, preparedStatements: false };
const { db, close } = await connect(config, createLog('error'));
await migrateToLatest(db);
const content = await generate({
  camelCase: true,
  db: db.withoutPlugins(),
  dialect: new PostgresDialect(),
  excludePattern: 'kysely_*',
  overrides: { columns: { 'items.item_type': itemType, 'product_taggings.item_type': 'Generated<"product">' } },
});
await close();
await rm(dataDir, { recursive: true });
if (!process.argv.includes('--check')) {
  writeFileSync(file, content);
} else if (readFileSync(file, 'utf8') !== content) {
  console.error('src/domain/tables.generated.ts is stale: run npm run generate');
  process.exitCode = 1;
}
