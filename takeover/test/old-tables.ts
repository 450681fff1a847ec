import { execute } from '../../test/support/postgres-server.ts';

/** The old service's tables: their names in views.sql, and the columns with other names. */
const oldTables: Record<string, [name: string, columns?: Record<string, string>]> = {
  countries: ['nations', { short_code: 'iso_code', dial_code: 'phone_prefix' }],
  cities: ['towns', { code: 'slug', country_id: 'nation_id' }],
  timezones: ['zones', { name: 'zone' }],
  services: ['fulfilments', { code: 'slug' }],
  brand_types: ['brand_kinds'],
  cuisine_types: ['cuisines'],
  applications: ['apps', { name: 'title' }],
  companies: [
    'restaurants',
    {
      ...{ name_en: 'title_en', name_ar: 'title_ar', address_line: 'street', city_id: 'town_id' },
      suspended_at: 'disabled_at',
    },
  ],
  branches: [
    'outlets',
    {
      ...{ company_id: 'restaurant_id', name_en: 'title_en', name_ar: 'title_ar' },
      ...{ address_line: 'street', city_id: 'town_id' },
    },
  ],
  branch_services: [
    'outlet_fulfilments',
    { company_id: 'restaurant_id', branch_id: 'outlet_id', service_id: 'fulfilment_id' },
  ],
  partners: ['clients', { default_company_id: 'restaurant_id', suspended_at: 'disabled_at' }],
  partner_tokens: ['api_keys', { partner_id: 'client_id', label: 'note', token_hash: 'digest' }],
  items: ['dishes', { company_id: 'restaurant_id', item_type: 'kind', name_en: 'title_en', name_ar: 'title_ar' }],
  product_tags: ['labels', { company_id: 'restaurant_id', name_en: 'title_en', name_ar: 'title_ar' }],
  product_taggings: ['dish_labels', { company_id: 'restaurant_id', product_tag_id: 'label_id', item_id: 'dish_id' }],
};

/**
 * Turns a database of this service into one with other table and column names. Views with the original names let this
 * service run on it, as the old service.
 */
export async function renameTables(url: string): Promise<void> {
  // The old service has neither searches nor versions.
  const statements = ['create schema legacy', 'drop trigger product_tags_search_text on product_tags'];
  for (const event of ['insert', 'delete', 'update', 'truncate'])
    statements.push(`drop trigger product_taggings_${event}_version on product_taggings`);
  for (const [table, [name, columns = {}]] of Object.entries(oldTables)) {
    const { rows } = await execute<{ column: string }>(
      url,
      `select column_name as column from information_schema.columns
        where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
    );
    const selected = rows.map(({ column }) => `${columns[column] ?? column} as ${column}`);
    statements.push(
      `alter table ${table} set schema legacy`,
      `alter table legacy.${table} rename to ${name}`,
      ...Object.entries(columns).map(([from, to]) => `alter table legacy.${name} rename column ${from} to ${to}`),
      `create view ${table} as select ${selected.join(', ')} from legacy.${name}`,
      `alter table legacy.${name} add if not exists created_at timestamp not null default now()`,
      `alter table legacy.${name} add if not exists deleted_at timestamp`,
    );
  }
  await execute(url, statements.join(';\n'));
}
