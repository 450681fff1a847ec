-- The rows of a small database of version 0.1.0, whose last migration is 20261126180000_times.
delete from reference_version;
insert into reference_version (only_row, version) values
  ('true', '14');
insert into countries (id, short_code, dial_code, name_en, name_ar) values
  ('48', 'BH', '+973', 'Bahrain', 'البحرين'),
  ('352', 'IS', '+354', 'Iceland', 'آيسلندا'),
  ('682', 'SA', '+966', 'Saudi Arabia', 'المملكة العربية السعودية'),
  ('784', 'AE', '+971', 'United Arab Emirates', 'الإمارات العربية المتحدة');
insert into cities (id, code, country_id, name_en, name_ar) values
  ('16', 'aedxb', '784', 'Dubai', 'دبي'),
  ('79', 'bhbah', '48', 'Manama', 'المنامة'),
  ('499', 'sa-jeddah', '682', 'Jeddah', 'جدة'),
  ('535', 'saruh', '682', 'Riyadh', 'الرياض');
insert into timezones (id, name) values
  ('247', 'Asia/Kolkata'),
  ('268', 'Asia/Riyadh');
insert into services (id, code, name_en, name_ar) values
  ('1', 'dine_in', 'Dine In', 'تناول في المطعم'),
  ('2', 'delivery', 'Delivery', 'توصيل'),
  ('3', 'pick_up', 'Pick Up', 'استلام من الفرع'),
  ('4', 'curbside', 'Curbside', 'استلام من السيارة');
insert into brand_types (id, name_en, name_ar) values
  ('1', 'Fast Food', 'وجبات سريعة'),
  ('2', 'Casual Dining', 'مطعم كاجوال');
insert into cuisine_types (id, name_en, name_ar) values
  ('1', 'Saudi', 'سعودي'),
  ('2', 'Gulf', 'خليجي');
insert into applications (id, name) values
  ('1', 'Online Ordering');
insert into companies (id, name_en, name_ar, address_line, city_id, suspended_at) values
  ('1', 'Palm Kitchen', 'مطبخ النخلة', 'King Fahd Road 12', '535', NULL),
  ('2', 'Harbour Grill', 'مشاوي الميناء', NULL, '79', NULL);
insert into partners (id, name, default_company_id, suspended_at) values
  ('1', 'Demo Partner', '1', NULL),
  ('2', 'Demo Neighbour', '2', NULL);
insert into partner_tokens (id, partner_id, token_hash, created_at, expires_at, revoked_at, last_used_at, label) values
  ('1', '1', '107666823abe97e00ec85c5eb2161f9dd2189d07f97acfa5906a2fb9023c0739', '2026-11-28 12:55:02.017975+00', NULL, NULL, NULL, 'checkout');
insert into branches (id, company_id, name_en, name_ar, address_line, city_id) values
  ('1', '1', 'Olaya', 'العليا', 'Olaya Street 8', '535'),
  ('2', '1', 'Corniche', 'الكورنيش', 'Corniche Road 3', '499'),
  ('3', '1', 'Marina', 'المارينا', NULL, '16'),
  ('4', '2', 'Harbour', 'الميناء', NULL, '79');
insert into branch_services (company_id, branch_id, service_id) values
  ('1', '1', '1'),
  ('1', '1', '2'),
  ('1', '1', '3'),
  ('1', '1', '4'),
  ('1', '2', '1'),
  ('1', '2', '3'),
  ('1', '3', '2'),
  ('2', '4', '1'),
  ('2', '4', '2');
insert into items (id, company_id, item_type, name_en, name_ar, created_at, updated_at) values
  ('1', '1', 'product', 'Chicken Kabsa', 'كبسة دجاج', '2026-11-28 12:54:59.298431+00', '2026-11-28 12:54:59.298431+00'),
  ('2', '1', 'product', 'Lamb Mandi', 'مندي لحم', '2026-11-28 12:54:59.299567+00', '2026-11-28 12:54:59.299567+00'),
  ('3', '1', 'product', 'Lentil Soup', 'شوربة عدس', '2026-11-28 12:54:59.299627+00', '2026-11-28 12:54:59.299627+00'),
  ('4', '1', 'product', 'Fattoush', 'فتوش', '2026-11-28 12:54:59.299659+00', '2026-11-28 12:54:59.299659+00'),
  ('5', '1', 'product', 'Hummus', 'حمص', '2026-11-28 12:54:59.299687+00', '2026-11-28 12:54:59.299687+00'),
  ('6', '1', 'product', 'Kunafa', 'كنافة', '2026-11-28 12:54:59.299699+00', '2026-11-28 12:54:59.299699+00'),
  ('7', '1', 'product', 'Arabic Coffee', 'قهوة عربية', '2026-11-28 12:54:59.299711+00', '2026-11-28 12:54:59.299711+00'),
  ('8', '1', 'product', 'Mint Lemonade', 'ليمون بالنعناع', '2026-11-28 12:54:59.299725+00', '2026-11-28 12:54:59.299725+00'),
  ('9', '1', 'modifier_group', 'Size', 'الحجم', '2026-11-28 12:54:59.299751+00', '2026-11-28 12:54:59.299751+00'),
  ('10', '1', 'modifier', 'Large', 'كبير', '2026-11-28 12:54:59.299772+00', '2026-11-28 12:54:59.299772+00'),
  ('11', '1', 'modifier', 'Small', 'صغير', '2026-11-28 12:54:59.299793+00', '2026-11-28 12:54:59.299793+00'),
  ('12', '2', 'product', 'Grilled Hamour', 'هامور مشوي', '2026-11-28 12:54:59.44685+00', '2026-11-28 12:54:59.44685+00'),
  ('13', '2', 'product', 'Shish Tawook', 'شيش طاووق', '2026-11-28 12:54:59.447015+00', '2026-11-28 12:54:59.447015+00'),
  ('14', '2', 'modifier_group', 'Sauce', 'الصلصة', '2026-11-28 12:54:59.447043+00', '2026-11-28 12:54:59.447043+00'),
  ('15', '2', 'modifier', 'Garlic Sauce', 'صلصة الثوم', '2026-11-28 12:54:59.447059+00', '2026-11-28 12:54:59.447059+00');
insert into product_tags (id, company_id, name_en, name_ar, version, search_text, item_count, created_at, updated_at) values
  ('1', '1', 'Best seller', 'الأكثر مبيعًا', '28645004-ea97-459d-9bf3-a1f2698c40d6', 'best seller
الاكثر مبيعا', '2', '2026-11-28 12:54:59.327031+00', '2026-11-28 12:54:59.331765+00'),
  ('2', '1', 'Vegetarian', 'نباتي', 'ef468652-1bb4-4597-84a3-99f100133df3', 'vegetarian
نباتي', '3', '2026-11-28 12:54:59.338335+00', '2026-11-28 12:54:59.351216+00'),
  ('3', '1', 'Café noir', 'قهوة', '4c6b38ed-7729-4f76-99a1-926d56fe7a66', 'cafe noir
قهوه', '2', '2026-11-28 12:55:07.605139+00', '2026-11-28 12:55:07.608809+00');
insert into product_taggings (company_id, product_tag_id, item_id, item_type, created_at) values
  ('1', '1', '1', 'product', '2026-11-28 12:54:58.968345+00'),
  ('1', '1', '7', 'product', '2026-11-28 12:54:58.968345+00'),
  ('1', '2', '3', 'product', '2026-11-28 12:54:58.968345+00'),
  ('1', '2', '4', 'product', '2026-11-28 12:54:58.968345+00'),
  ('1', '2', '5', 'product', '2026-11-28 12:54:58.968345+00'),
  ('1', '3', '1', 'product', '2026-11-28 12:55:07.602516+00'),
  ('1', '3', '2', 'product', '2026-11-28 12:55:07.602516+00');
insert into idempotency_keys (company_id, partner_id, key, request_hash, answer, created_at) values
  ('1', '1', 'upgrade', '255f27f2acf4d53f0fc12514308dc87af70eb723f6a0bf01bdfe6d1ba3b51b25', '{"id":3,"nameEn":"Café noir","nameAr":"قهوة","version":"4c6b38ed-7729-4f76-99a1-926d56fe7a66","itemCount":2,"itemIds":[1,2]}', '2026-11-28 12:55:07.602516+00');
insert into admin_log (id, at, actor, command, details) values
  ('1', '2026-11-28 12:54:38.342497+00', 'root', 'migrate', '{"result": {"migrated": ["20261121090000_reference_data", "20261121090100_partners", "20261121090200_product_tags", "20261125090000_search_paths", "20261125180000_search_order_counts", "20261126090000_search_punctuation", "20261126090100_ids_of_one_company", "20261126180000_times"]}, "options": {}, "arguments": []}'),
  ('2', '2026-11-28 12:54:58.968345+00', 'root', 'seed', '{"result": {"added": {"cities": 630, "services": 4, "countries": 249, "timezones": 419, "brand_types": 12, "applications": 8, "cuisine_types": 40}, "skipped": [], "partners": ["Demo Partner", "Demo Neighbour"]}, "options": {"demo": true}, "arguments": []}'),
  ('3', '2026-11-28 12:55:02.017975+00', 'root', 'token issue', '{"result": {"id": 1, "days": 365, "label": "checkout", "expires": "2027-11-28T12:55:02.017Z"}, "options": {"days": 365, "label": "checkout", "partner": "Demo Partner"}, "arguments": []}');
select setval('admin_log_id_seq', 3);
select setval('branches_id_seq', 4);
select setval('companies_id_seq', 2);
select setval('items_id_seq', 15);
select setval('partner_tokens_id_seq', 1);
select setval('partners_id_seq', 2);
select setval('product_tags_id_seq', 3);
