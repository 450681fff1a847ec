import type { Kysely } from 'kysely';
import type { Items, DB as Tables } from './tables.generated.ts';

// Triggers write `version`, `updatedAt`, `itemCount` and `searchText` of items and tags, and `referenceVersion.version`.
export type { Tables };

/** A connection pool or a transaction: queries take either. */
export type Database = Kysely<Tables>;

export type ItemTypeValue = Items['itemType'];

export const itemTypes = ['product', 'modifier_group', 'modifier'] as const satisfies ItemTypeValue[];
