import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedApp } from '../support/app.ts';
import { companyRows, type Outcome, surfaceNames, type TagFields, writes } from '../support/product-tag.ts';
import { createTenant } from '../support/tenant.ts';

const app = await sharedApp();

const request = fc.record({
  surface: fc.constantFrom(...surfaceNames),
  key: fc.constantFrom(undefined, 'a', 'b'),
  name: fc.constantFrom('First', 'Second', 'ab', 'x'.repeat(51)),
  item: fc.constantFrom('none', 'product', 'modifier', 'unknown'),
});

// What a request is to come to, by what was done under its key before: `known` maps keys to requests that were done.
test('whatever is sent in whatever order: done once a key, refused without a trace, answered as the first time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 12 }), async (requests) => {
      const tenant = await createTenant(app.db, { products: 1 });
      const itemIds = { none: [], product: tenant.products, modifier: [tenant.modifier], unknown: [2_000_000_000] };
      const known = new Map<string, { fields: TagFields; outcome: Outcome }>();
      let done = 0;
      for (const { surface, key, name, item } of requests) {
        const fields: TagFields = { name_en: name, item_ids: itemIds[item] };
        const outcome = await writes[surface].create(app.client, fields, { ...tenant, idempotencyKey: key });
        const first = key === undefined ? undefined : known.get(key);
        if (first !== undefined) {
          const isSame = JSON.stringify(first.fields) === JSON.stringify(fields);
          const reused = { codes: ['idempotency_key_reused'], replayed: false };
          expect(outcome).toEqual(isSame ? { ...first.outcome, replayed: true } : reused);
        } else if (name.length >= 3 && name.length <= 50 && (item === 'none' || item === 'product')) {
          expect(outcome).toMatchObject({ codes: ['done'], tag: fields, replayed: false });
          done += 1;
          if (key !== undefined) known.set(key, { fields, outcome });
        } else {
          expect(outcome.tag).toBeUndefined();
          for (const code of outcome.codes) expect(code).toMatch(/^(invalid_length|item_not_.+|validation_failed)$/);
        }
      }
      expect((await companyRows(app.db, tenant.companyId)).tags).toHaveLength(done);
      const rows = app.db.selectFrom('idempotencyKeys').select('key').where('partnerId', '=', tenant.partnerId);
      const keys = (await rows.execute()).map((row) => row.key);
      expect(keys.toSorted()).toEqual([...known.keys()].toSorted());
    }),
    { numRuns: 20 },
  );
});
