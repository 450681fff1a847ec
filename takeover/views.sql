-- The tables of the old service under the names of this service. The names after `from` and the columns before `as` are
-- examples of a Rails schema: adapt them to the old database. The views are temporary, so the old database does not change.
-- As in Rails, times are in UTC without a time zone, rows with `deleted_at` are deleted, and no foreign key keeps links to
-- deleted rows away. Rows of deleted companies are left out. Companies, branches and items need an Arabic name: without
-- one, they get the English name.
set timezone to 'UTC';

-- Trims a name and normalizes it (NFC), as this service does; null if nothing is left.
create function pg_temp.cleaned(name text) returns text language sql immutable as $$
  select nullif(normalize(regexp_replace(name,
    '^[\u0009-\u000d\u0020\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u2000-\u200b\u200e\u200f\u2028-\u202f'
    '\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    '\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]+|['
    '\u0009-\u000d\u0020\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u2000-\u200b\u200e\u200f\u2028-\u202f'
    '\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a'
    '\U000e0000-\U000e001f\U000e0080-\U000e00ff\U000e01f0-\U000e0fff]+$', '', 'g')), '')
$$;

create temporary view countries as
  select id, iso_code as short_code, phone_prefix as dial_code, pg_temp.cleaned(name_en) as name_en,
    pg_temp.cleaned(name_ar) as name_ar
  from legacy.nations order by id;
create temporary view cities as
  select id, slug as code, nation_id as country_id, pg_temp.cleaned(name_en) as name_en, pg_temp.cleaned(name_ar) as name_ar
  from legacy.towns order by id;
create temporary view timezones as select id, zone as name from legacy.zones order by id;
create temporary view services as
  select id, slug as code, pg_temp.cleaned(name_en) as name_en, pg_temp.cleaned(name_ar) as name_ar
  from legacy.fulfilments order by id;
create temporary view brand_types as
  select id, pg_temp.cleaned(name_en) as name_en, pg_temp.cleaned(name_ar) as name_ar from legacy.brand_kinds order by id;
create temporary view cuisine_types as
  select id, pg_temp.cleaned(name_en) as name_en, pg_temp.cleaned(name_ar) as name_ar from legacy.cuisines order by id;
create temporary view applications as select id, pg_temp.cleaned(title) as name from legacy.apps order by id;

create temporary view companies as
  select id, pg_temp.cleaned(title_en) as name_en,
    coalesce(pg_temp.cleaned(title_ar), pg_temp.cleaned(title_en)) as name_ar,
    pg_temp.cleaned(street) as address_line, town_id as city_id,
    to_json(disabled_at at time zone 'UTC') #>> '{}' as suspended_at
  from legacy.restaurants where deleted_at is null order by id;
create temporary view branches as
  select id, restaurant_id as company_id, pg_temp.cleaned(title_en) as name_en,
    coalesce(pg_temp.cleaned(title_ar), pg_temp.cleaned(title_en)) as name_ar,
    pg_temp.cleaned(street) as address_line, town_id as city_id,
    array_to_string(array(
      select distinct fulfilment_id from legacy.outlet_fulfilments where outlet_id = outlets.id order by 1), ';')
      as service_ids
  from legacy.outlets where deleted_at is null and restaurant_id in (select id from companies)
  order by restaurant_id, id;
create temporary view partners as
  select id, pg_temp.cleaned(name) as name, restaurant_id as default_company_id,
    to_json(disabled_at at time zone 'UTC') #>> '{}' as suspended_at
  from legacy.clients where deleted_at is null order by id;
-- If the old service stores the text of tokens, export encode(sha256(token::bytea), 'hex') as token_hash.
create temporary view tokens as
  select id, client_id as partner_id, pg_temp.cleaned(note) as label, 'full' as access,
    to_json(expires_at at time zone 'UTC') #>> '{}' as expires_at,
    to_json(revoked_at at time zone 'UTC') #>> '{}' as revoked_at, lower(digest) as token_hash
  from legacy.api_keys where client_id in (select id from partners) order by id;
create temporary view items as
  select id, restaurant_id as company_id, kind as item_type, pg_temp.cleaned(title_en) as name_en,
    coalesce(pg_temp.cleaned(title_ar), pg_temp.cleaned(title_en)) as name_ar
  from legacy.dishes where deleted_at is null and restaurant_id in (select id from companies)
  order by restaurant_id, id;
create temporary view tags as
  select id, restaurant_id as company_id, pg_temp.cleaned(title_en) as name_en, pg_temp.cleaned(title_ar) as name_ar,
    array_to_string(array(
      select distinct dish_id from legacy.dish_labels join legacy.dishes on dishes.id = dish_id and dishes.deleted_at is null
      where label_id = labels.id order by 1), ';') as item_ids
  from legacy.labels where deleted_at is null and restaurant_id in (select id from companies)
  order by restaurant_id, id;
