-- Spreads the companies of a migrated database over the workers of a Citus cluster (12 or newer: ids are integer identities).
-- Run it once on the coordinator, which DATABASE_URL names from then on, after `citus_set_coordinator_host` and
-- `citus_add_node`, while no replica runs: psql --set ON_ERROR_STOP=1 --file deploy/citus.sql
-- Each statement by itself, not in one transaction. After one that fails, foreign keys may be missing: go on from that one.
--
-- Held against the migrated schema by the tests, statement by statement; Citus itself was not run. What each table becomes:
--   distributed  whatever has company_id, by that: a company's rows are all on one worker, and so are its keys
--   reference    a copy on every node: what distributed rows refer to, and what is asked for before the company is known
--   local        the coordinator's alone, as it is: no foreign key leads to it or from it

-- Citus refuses triggers on tables that are on other nodes. These three raised the version of the reference data; after a change:
--   update reference_version set version = version + 1;
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

-- No foreign keys until every table is where it belongs: with the coordinator among the nodes, Citus also takes in the tables that
-- have keys to or from one that it is given, and then cannot distribute those with an identity (citusdata/citus #7036, #7564).
alter table cities drop constraint cities_country_id_fkey;
alter table companies drop constraint companies_city_id_fkey;
alter table partners drop constraint partners_default_company_id_fkey;
alter table partner_tokens drop constraint partner_tokens_partner_id_fkey;
alter table items drop constraint items_company_id_fkey;
alter table product_tags drop constraint product_tags_company_id_fkey;
alter table branches drop constraint branches_company_id_fkey;
alter table branches drop constraint branches_city_id_fkey;
alter table branch_services drop constraint branch_services_service_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_company_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_partner_id_fkey;
alter table product_taggings drop constraint product_taggings_product_tag;
alter table product_taggings drop constraint product_taggings_item;
alter table branch_services drop constraint branch_services_branch;

-- Companies, partners and their tokens are rows of the platform, not of one tenant: a token is found by its hash and leads to its
-- partner, and only that to the company.
select create_reference_table('countries');
select create_reference_table('cities');
select create_reference_table('services');
select create_reference_table('companies');
select create_reference_table('partners');
select create_reference_table('partner_tokens');

select create_distributed_table('items', 'company_id', colocate_with => 'none');
select create_distributed_table('product_tags', 'company_id', colocate_with => 'items');
select create_distributed_table('product_taggings', 'company_id', colocate_with => 'items');
select create_distributed_table('branches', 'company_id', colocate_with => 'items');
select create_distributed_table('branch_services', 'company_id', colocate_with => 'items');
select create_distributed_table('idempotency_keys', 'company_id', colocate_with => 'items');

-- The keys as they were, each in a statement of its own, as Citus wants it. Between reference tables:
alter table cities add constraint cities_country_id_fkey
  foreign key (country_id) references countries (id);
alter table companies add constraint companies_city_id_fkey
  foreign key (city_id) references cities (id);
alter table partners add constraint partners_default_company_id_fkey
  foreign key (default_company_id) references companies (id);
alter table partner_tokens add constraint partner_tokens_partner_id_fkey
  foreign key (partner_id) references partners (id) on delete cascade;

-- From distributed tables to reference tables:
alter table items add constraint items_company_id_fkey
  foreign key (company_id) references companies (id);
alter table product_tags add constraint product_tags_company_id_fkey
  foreign key (company_id) references companies (id);
alter table branches add constraint branches_company_id_fkey
  foreign key (company_id) references companies (id);
alter table branches add constraint branches_city_id_fkey
  foreign key (city_id) references cities (id);
alter table branch_services add constraint branch_services_service_id_fkey
  foreign key (service_id) references services (id);
alter table idempotency_keys add constraint idempotency_keys_company_id_fkey
  foreign key (company_id) references companies (id) on delete cascade;
alter table idempotency_keys add constraint idempotency_keys_partner_id_fkey
  foreign key (partner_id) references partners (id) on delete cascade;

-- Between distributed tables, the company first on both sides:
alter table product_taggings add constraint product_taggings_product_tag
  foreign key (company_id, product_tag_id) references product_tags (company_id, id) on delete cascade;
alter table product_taggings add constraint product_taggings_item
  foreign key (company_id, item_id, item_type) references items (company_id, id, item_type) on delete cascade;
alter table branch_services add constraint branch_services_branch
  foreign key (company_id, branch_id) references branches (company_id, id) on delete cascade;

-- Local: reference data without foreign keys, whose triggers raise the version as before: timezones, brand_types, cuisine_types,
-- applications, reference_version; and the log of operators' changes: admin_log.
