-- Lists the rows that the import rejects, as views.sql exports them: psql --file=views.sql --file=rejected.sql
with
  names (file, id, "column", name, least, most, is_optional) as (
    select 'countries', id, each.*, 1, 255, false
      from countries, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'cities', id, each.*, 1, 255, false
      from cities, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'services', id, each.*, 1, 255, false
      from services, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'brand_types', id, each.*, 1, 255, false
      from brand_types, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'cuisine_types', id, each.*, 1, 255, false
      from cuisine_types, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'applications', id, 'name', name, 1, 255, false from applications
    union all select 'companies', id, each.*, 1, 255, each.column1 = 'address_line'
      from companies, lateral (values ('name_en', name_en), ('name_ar', name_ar), ('address_line', address_line)) as each
    union all select 'branches', id, each.*, 1, 255, each.column1 = 'address_line'
      from branches, lateral (values ('name_en', name_en), ('name_ar', name_ar), ('address_line', address_line)) as each
    union all select 'partners', id, 'name', name, 1, 255, false from partners
    union all select 'tokens', id, 'label', label, 1, 255, true from tokens
    union all select 'items', id, each.*, 1, 255, false
      from items, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
    union all select 'tags', id, each.*, 3, 50, each.column1 = 'name_ar'
      from tags, lateral (values ('name_en', name_en), ('name_ar', name_ar)) as each
  ),
  ids (file, id) as (
    select 'countries', id from countries union all select 'cities', id from cities
    union all select 'timezones', id from timezones union all select 'services', id from services
    union all select 'brand_types', id from brand_types union all select 'cuisine_types', id from cuisine_types
    union all select 'applications', id from applications union all select 'companies', id from companies
    union all select 'branches', id from branches union all select 'partners', id from partners
    union all select 'tokens', id from tokens union all select 'items', id from items
    union all select 'tags', id from tags
  ),
  codes (file, id, "column", code, pattern) as (
    select 'countries', id, 'short_code', short_code, '^[A-Z]{2}$' from countries
    union all select 'countries', id, 'dial_code', dial_code, '^\+[0-9]{1,4}$' from countries
    union all select 'cities', id, 'code', code, '^[A-Za-z0-9_.-]{1,100}$' from cities
    union all select 'services', id, 'code', code, '^[A-Za-z0-9_.-]{1,100}$' from services
    union all select 'items', id, 'item_type', item_type, '^(product|modifier_group|modifier)$' from items
    union all select 'tokens', id, 'token_hash', token_hash, '^[0-9a-f]{64}$' from tokens
  ),
  unique_values (file, id, "column", value) as (
    select 'countries', id, 'short_code', short_code from countries union all select 'cities', id, 'code', code from cities
    union all select 'timezones', id, 'name', name from timezones union all select 'services', id, 'code', code from services
    union all select 'partners', id, 'name', name from partners
    union all select 'tokens', id, 'token_hash', token_hash from tokens
  ),
  times (file, id, "column", at) as (
    select 'companies', id, 'suspended_at', suspended_at from companies
    union all select 'partners', id, 'suspended_at', suspended_at from partners
    union all select 'tokens', id, each.* from tokens, lateral (
      values ('expires_at', expires_at), ('revoked_at', revoked_at)) as each
  ),
  links (id, company_id, item_id) as (
    select id, company_id, unnest(string_to_array(item_ids, ';'))::bigint from tags
  )
select file, id, "column", 'is required' as error from names where name is null and not is_optional
union all select file, id, "column", 'has control characters'
  from names where name ~ '[\u0001-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2066-\u2069\ufeff\ufffd]'
union all select file, id, "column", format('must have %s to %s characters', least, most)
  from names where char_length(name) not between least and most
union all select file, id, 'id', 'must be from 1 to 2147483647' from ids where id not between 1 and 2147483647
union all select file, id, "column", 'must match ' || pattern from codes where code is null or code !~ pattern
union all select file, id, "column", 'is taken by a row with a lower id'
  from (select *, row_number() over (partition by file, value order by id) from unique_values where value is not null) as each
  where row_number > 1
union all select 'timezones', id, 'name', 'must be an IANA time zone'
  from timezones where name is null or name not in (select name from pg_timezone_names)
union all select file, id, "column", 'must have a year of four digits' from times where at !~ '^[0-9]{4}-'
union all select 'cities', id, 'country_id', 'there is no such country'
  from cities where country_id is null or country_id not in (select id from countries)
union all select 'companies', id, 'city_id', 'there is no such city'
  from companies where city_id is null or city_id not in (select id from cities)
union all select 'branches', id, 'city_id', 'there is no such city'
  from branches where city_id is null or city_id not in (select id from cities)
union all select distinct 'branches', id, 'service_ids', 'there is no such service'
  from (select id, unnest(string_to_array(service_ids, ';'))::bigint as service_id from branches) as each
  where service_id not in (select id from services)
union all select 'partners', id, 'default_company_id', 'there is no such company'
  from partners where default_company_id is null or default_company_id not in (select id from companies)
union all select 'tags', id, 'item_ids', 'has more than 10000 items' from links group by id having count(*) > 10000
union all select distinct 'tags', links.id, 'item_ids',
    case when items.id is null then 'has ids that are not items of the company' else 'only products can be tagged' end
  from links left join items on items.id = item_id and items.company_id = links.company_id
  where item_type is distinct from 'product'
order by file, id, "column";
