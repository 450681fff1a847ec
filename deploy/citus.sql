-- Spreads the companies of a migrated database over the workers of a Citus cluster (12 or newer: ids are integer identities).
-- Run it once on the coordinator, which DATABASE_URL names from then on, after `citus_set_coordinator_host` and
-- `citus_add_node`, while no replica runs: psql --set ON_ERROR_STOP=1 --file deploy/citus.sql
--
-- Held against the migrated schema by the tests, statement by statement; Citus itself was not run. What each table becomes:
--   distributed  whatever has company_id, by that: a company's rows are all on one worker, and so are its keys
--   reference    a copy on every node: what distributed rows refer to, and what is asked for before the company is known
--   local        the coordinator's alone, as it is: nothing that is distributed refers to it

-- Citus refuses triggers on tables that are on other nodes. These three announced changes of reference data; after one:
--   update reference_version set version = version + 1; notify reference_version;
drop trigger countries_insert_version on countries;
drop trigger countries_update_version on countries;
drop trigger countries_delete_version on countries;
drop trigger countries_truncate_version on countries;
drop trigger cities_insert_version on cities;
drop trigger cities_update_version on cities;
drop trigger cities_delete_version on cities;
drop trigger cities_truncate_version on cities;
drop trigger services_insert_version on services;
drop trigger services_update_version on services;
drop trigger services_delete_version on services;
drop trigger services_truncate_version on services;

-- Each after what it refers to. Companies and partners are rows of the platform, not of one tenant: a token leads to its partner
-- and only that to the company.
select create_reference_table('countries');
select create_reference_table('cities');
select create_reference_table('services');
select create_reference_table('companies');
select create_reference_table('partners');

select create_distributed_table('items', 'company_id', colocate_with => 'none');
select create_distributed_table('product_tags', 'company_id', colocate_with => 'items');
select create_distributed_table('product_taggings', 'company_id', colocate_with => 'items');
select create_distributed_table('branches', 'company_id', colocate_with => 'items');
select create_distributed_table('branch_services', 'company_id', colocate_with => 'items');
select create_distributed_table('idempotency_keys', 'company_id', colocate_with => 'items');

-- Local: partner_tokens (found by their hash, each leads to a partner), and reference data that nothing refers to, whose triggers
-- announce changes as before: timezones, brand_types, cuisine_types, applications, reference_version.
