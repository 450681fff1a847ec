-- Restores the tags of back/tags.csv in the old service: `psql --file=views.sql --file=restore.sql`.
create temporary table back (id integer, company_id integer, name_en text, name_ar text, item_ids text, version text);
\copy back from 'back/tags.csv' csv header
delete from product_taggings;
delete from product_tags where (company_id, id) not in (select company_id, id from back);
update product_tags set name_en = back.name_en, name_ar = back.name_ar
  from back where product_tags.company_id = back.company_id and product_tags.id = back.id;
-- Add columns that the old tables require, such as `created_at`, here and to views.sql.
insert into product_tags (id, company_id, name_en, name_ar)
  select id, company_id, name_en, name_ar from back
  where (company_id, id) not in (select company_id, id from product_tags);
insert into product_taggings (company_id, product_tag_id, item_id)
  select company_id, id, unnest(string_to_array(item_ids, ';'))::integer from back;
-- Adapt the name of the old table of tags.
select setval(pg_get_serial_sequence('legacy.labels', 'id'), max(id)) from product_tags \g /dev/null
