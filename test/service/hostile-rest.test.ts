import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { use } from '../support/app.ts';
import { startArena } from '../support/hostile/arena.ts';
import {
  type Header,
  strangeForms,
  strangeHeaders,
  strangeIntegers,
  strangeJson,
  strangeMembers,
  strangeMethods,
  strangeTails,
  strangeTargets,
  strangeTexts,
} from '../support/hostile/corpus.ts';
import { content, formType, jsonType } from '../support/hostile/http.ts';
import { restRequests } from '../support/hostile/rest.ts';
import { objectText } from '../support/hostile/values.ts';

const tags = '/partner_portal/v1/product_tags';

const arena = use(await startArena());

/** A request with a token that is as it should be, but for what is said of it. */
async function send(method: string, target: string, body?: string, type = jsonType, headers: Header[] = []) {
  const { headers: contentHeaders, ...rest } = body === undefined ? { headers: [] } : content(type, body);
  const authorization: Header = ['Authorization', `Bearer ${arena.attacker.token}`];
  return arena.attack({ method, target, headers: [authorization, ...headers, ...contentHeaders], ...rest });
}

// What harmless means is told in the arena: no 5xx, always a problem or the contract's answer, nothing of the inside and of
// another company in it, and no row changed but those of the tag that a 200 or 201 shows.
describe('is answered, and harmless:', () => {
  test('each strange text as each name', async () => {
    for (const text of strangeTexts) {
      await send('POST', tags, JSON.stringify({ name_en: text }));
      await send('POST', tags, JSON.stringify({ product_tag: { name_en: 'Spicy', name_ar: text } }));
      await send('POST', tags, new URLSearchParams({ name_en: text.toWellFormed() }).toString(), formType);
    }
  });

  test('each strange JSON as each field, and as the body', async () => {
    for (const text of strangeJson) {
      await send('POST', tags, text);
      await send('POST', tags, `{"product_tag":${text}}`);
      for (const field of ['name_en', 'name_ar', 'item_ids']) {
        await send('POST', tags, `{"name_en":"Spicy","${field}":${text}}`);
      }
    }
  });

  test('each strange integer as a tag, an item, a country and a page', async () => {
    const { known } = arena;
    for (const text of [...strangeIntegers, known.otherTag, known.otherProduct, known.modifier]) {
      await send('PUT', `${tags}/${text}`, '{"name_en":"Spicy"}');
      await send('POST', tags, `{"name_en":"Spicy","item_ids":[${text}]}`);
      await send('POST', tags, `name_en=Spicy&item_ids[]=${text}`, formType);
      await send('GET', `/partner_portal/v1/cities?country_id=${text}`);
      await send('GET', `/partner_portal/v1/lookups?brand_types=${text}&week_days=${text}`);
    }
  });

  test('each strange form', async () => {
    for (const text of strangeForms) {
      await send('POST', tags, text, formType);
      await send('POST', tags, `name_en=Spicy&${text}`, formType);
    }
  });

  test('each strange target, method and header', async () => {
    for (const target of [...strangeTails.map((tail) => `/partner_portal/v1${tail}`), ...strangeTargets]) {
      for (const method of ['GET', 'POST', 'PUT']) await send(method, target, '{"name_en":"Spicy"}');
    }
    for (const method of strangeMethods) await send(method, tags, '{"name_en":"Spicy"}');
    for (const header of strangeHeaders) {
      await send('POST', tags, '{"name_en":"Spicy"}', jsonType, [header]);
      await send('GET', '/partner_portal/v1/countries', undefined, jsonType, [header]);
    }
  });

  test('50 requests at random', async () => {
    const requests = restRequests(arena.known, arena.attacker.token);
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        await arena.attack(request);
      }),
      { numRuns: 50 },
    );
  });
});

test('fields that a tag has not are ignored: its company, its id and every prototype stay what they are', async () => {
  const { known, app, attacker } = arena;
  for (const member of strangeMembers(known.otherCompany, known.otherTag)) {
    const answer = await send('POST', tags, objectText([['name_en', '"Spicy"'], member]));
    expect(answer?.status).toBe(201);
    const { id } = JSON.parse(answer?.body ?? '');
    const row = app.db.selectFrom('productTags').select(['companyId', 'nameEn']).where('id', '=', id);
    expect(await row.executeTakeFirst()).toEqual({ companyId: attacker.companyId, nameEn: 'Spicy' });
  }
});
