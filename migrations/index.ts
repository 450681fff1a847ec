import type { Migration } from 'kysely/migration';
import * as referenceData from './20261121090000_reference_data.ts';
import * as partners from './20261121090100_partners.ts';
import * as productTags from './20261121090200_product_tags.ts';
import * as idempotencyKeys from './20261121090300_idempotency_keys.ts';
import * as tokenUsage from './20261121090400_token_usage.ts';
import * as referenceVersion from './20261121090500_reference_version.ts';
import * as taggingKey from './20261121090600_tagging_key.ts';
import * as tenantKeys from './20261121090700_tenant_keys.ts';
import * as operations from './20261122090000_operations.ts';
import * as deferrableCodes from './20261123090000_deferrable_codes.ts';

/** Every migration in the order it runs. A migration that has shipped is never edited: add the next one. */
export const migrations: Record<string, Migration> = {
  '20261121090000_reference_data': referenceData,
  '20261121090100_partners': partners,
  '20261121090200_product_tags': productTags,
  '20261121090300_idempotency_keys': idempotencyKeys,
  '20261121090400_token_usage': tokenUsage,
  '20261121090500_reference_version': referenceVersion,
  '20261121090600_tagging_key': taggingKey,
  '20261121090700_tenant_keys': tenantKeys,
  '20261122090000_operations': operations,
  '20261123090000_deferrable_codes': deferrableCodes,
};
