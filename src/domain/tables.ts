import type { Kysely } from 'kysely';
import type { Items, DB as Tables } from './tables.generated.ts';

/**
 * The tables by camel-case names; the CamelCasePlugin writes snake_case SQL. Triggers write these columns, so mutations
 * do not:
 * - `productTags.version` and `updatedAt`: new ones when the tag's names or links change; `items.updatedAt`, when its own
 *   columns do
 * - `productTags.itemCount`: the number of its links, when they change
 * - `productTags.searchText`, when its names change; `items.searchText` is generated from theirs
 * - `referenceVersion.version`: raised by every change of countries, cities and the other reference lists
 */
export type { Tables };

/** A connection pool or a transaction: queries take either. */
export type Database = Kysely<Tables>;

export type ItemTypeValue = Items['itemType'];

export const itemTypes = ['product', 'modifier_group', 'modifier'] as const satisfies ItemTypeValue[];
