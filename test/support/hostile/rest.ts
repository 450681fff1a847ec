import fc from 'fast-check';
import type { RawRequest } from '../raw-http.ts';
import { strangeForms, strangeMethods, strangeTails, strangeTargets } from './corpus.ts';
import { type Content, contents, formType, jsonType, type Routed, requests } from './http.ts';
import { integers, itemLists, type KnownIds, mostly, objects, orAnyJson, texts } from './values.ts';

const v1 = '/partner_portal/v1';

/** Requests to the REST surface, from good ones to none at all. */
export function restRequests(known: KnownIds, token: string): fc.Arbitrary<RawRequest> {
  const content = tagContents(known);
  const created: fc.Arbitrary<Routed> = fc.record({
    method: fc.constant('POST'),
    target: fc.constant(`${v1}/product_tags`),
    content,
  });
  const updated: fc.Arbitrary<Routed> = fc.record({
    method: fc.constant('PUT'),
    target: integers(known).map((id) => `${v1}/product_tags/${id}`),
    content,
  });
  const read: fc.Arbitrary<Routed> = fc.record({
    method: fc.constant('GET'),
    target: referenceTargets(known),
    content: fc.constant({ headers: [] }),
  });
  const strange: fc.Arbitrary<Routed> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', ...strangeMethods),
    target: fc.oneof(
      fc.constantFrom(...strangeTails).map((tail) => v1 + tail),
      fc.constantFrom(...strangeTargets),
      fc.webPath().map((path) => path || '/'),
    ),
    content,
  });
  return requests(
    fc.oneof(
      { arbitrary: created, weight: 5 },
      { arbitrary: updated, weight: 5 },
      { arbitrary: read, weight: 3 },
      { arbitrary: strange, weight: 2 },
    ),
    token,
  );
}

function tagContents(known: KnownIds): fc.Arbitrary<Content> {
  const names = texts.map((text) => JSON.stringify(text));
  const fields = objects(known, {
    name_en: names,
    name_ar: fc.oneof(names, fc.constant('null')),
    item_ids: itemLists(known),
  });
  const wrapped = orAnyJson(fields).map((text) => `{"product_tag":${text}}`);
  const json = orAnyJson(fc.oneof(fields, wrapped));
  return fc.oneof(
    { arbitrary: contents(json, jsonType), weight: 8 },
    { arbitrary: contents(forms(known), formType), weight: 4 },
    { arbitrary: fc.constant<Content>({ headers: [] }), weight: 1 },
  );
}

function forms(known: KnownIds): fc.Arbitrary<string> {
  const names = fc.constantFrom(
    'name_en',
    'name_ar',
    'item_ids[]',
    'item_ids',
    'product_tag[name_en]',
    'product_tag[item_ids][]',
  );
  const values = fc.oneof(
    texts.map((text) => encodeURIComponent(text.toWellFormed())),
    integers(known),
  );
  const pairs = fc.tuple(names, values).map((pair) => pair.join('='));
  return fc
    .tuple(
      mostly(fc.constant('name_en=Spicy'), fc.constant('')),
      fc.array(mostly(pairs, fc.constantFrom(...strangeForms)), { maxLength: 5 }),
    )
    .map(([name, others]) => [name, ...others].join('&'));
}

function referenceTargets(known: KnownIds): fc.Arbitrary<string> {
  const values = fc.oneof(
    integers(known),
    texts.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 3_000)),
  );
  const names = fc.constantFrom(
    ...['brand_types', 'cuisine_types', 'services', 'applications', 'week_days', 'country_id', '__proto__', 'a[b]'],
  );
  const pairs = fc.tuple(names, values).map((pair) => pair.join('='));
  const paths = fc.constantFrom('lookups', 'countries', 'cities', 'timezones', 'services');
  return fc.tuple(paths, fc.array(pairs, { maxLength: 4 })).map(([path, query]) => `${v1}/${path}?${query.join('&')}`);
}
