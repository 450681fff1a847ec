import { generate, PostgresDialect } from 'kysely-codegen';

const itemType = '"product" | "modifier_group" | "modifier"';

export function generateTables(/** @type {import('kysely').Kysely<unknown>} */ db) {
  return generate({
    camelCase: true,
    db: db.withoutPlugins(),
    dialect: new PostgresDialect(),
    excludePattern: 'kysely_*',
    overrides: {
      columns: {
        'items.item_type': itemType,
        'partner_tokens.access': 'Generated<"full" | "read_only">',
        'product_taggings.item_type': 'Generated<"product">',
      },
    },
  });
}
