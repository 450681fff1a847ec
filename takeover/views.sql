-- The tables of the old service under the names of this service. The names after `from` and the columns before `as` are
-- examples: adapt them to the old database. The views are temporary, so the old database does not change.
-- Times have this service's export format. For a `timestamp` without time zone, write `disabled_at at time zone 'UTC'`.
-- Names are trimmed and normalized (NFC), as this service does.
set timezone to 'UTC';

create temporary view countries as
  select id, iso_code as short_code, phone_prefix as dial_code, name_en, name_ar from legacy.nations order by id;
create temporary view cities as
  select id, slug as code, nation_id as country_id, name_en, name_ar from legacy.towns order by id;
create temporary view timezones as select id, zone as name from legacy.zones order by id;
create temporary view services as select id, slug as code, name_en, name_ar from legacy.fulfilments order by id;
create temporary view brand_types as select id, name_en, name_ar from legacy.brand_kinds order by id;
create temporary view cuisine_types as select id, name_en, name_ar from legacy.cuisines order by id;
create temporary view applications as select id, title as name from legacy.apps order by id;

create temporary view companies as
  select id, normalize(trim(title_en)) as name_en, normalize(trim(title_ar)) as name_ar, street as address_line,
    town_id as city_id, to_json(disabled_at) #>> '{}' as suspended_at
  from legacy.restaurants order by id;
create temporary view branches as
  select id, restaurant_id as company_id, normalize(trim(title_en)) as name_en, normalize(trim(title_ar)) as name_ar,
    street as address_line, town_id as city_id,
    array_to_string(array(
      select fulfilment_id from legacy.outlet_fulfilments where outlet_id = outlets.id order by 1), ';') as service_ids
  from legacy.outlets order by restaurant_id, id;
create temporary view partners as
  select id, name, restaurant_id as default_company_id, to_json(disabled_at) #>> '{}' as suspended_at
  from legacy.clients order by id;
-- If the old service stores plain tokens, export a column `token` instead of `token_sha256`.
create temporary view tokens as
  select id, client_id as partner_id, note as label, to_json(expires_at) #>> '{}' as expires_at,
    to_json(revoked_at) #>> '{}' as revoked_at, digest as token_sha256
  from legacy.api_keys order by id;
create temporary view items as
  select id, restaurant_id as company_id, kind as item_type, normalize(trim(title_en)) as name_en,
    normalize(trim(title_ar)) as name_ar
  from legacy.dishes order by restaurant_id, id;

create temporary view tags as
  select id, restaurant_id as company_id, normalize(trim(title_en)) as name_en, normalize(trim(title_ar)) as name_ar,
    array_to_string(array(
      select dish_id from legacy.dish_labels where label_id = labels.id order by 1), ';') as item_ids
  from legacy.labels order by restaurant_id, id;
