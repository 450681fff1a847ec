import { describe, expect, test } from 'vitest';
import { CreateProductTagDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { surfaces, type TagFields, toInput } from './support/product-tag.ts';
import { createTenant } from './support/tenant.ts';

const app = await sharedApp();
const tenant = await createTenant(app.db);

const accepted = [
  { rule: 'of 3 characters', sent: 'Hot', stored: 'Hot' },
  { rule: 'of 50 characters', sent: 'x'.repeat(50), stored: 'x'.repeat(50) },
  { rule: 'of 3 Arabic letters', sent: 'حار', stored: 'حار' },
  { rule: 'of 3 emoji', sent: '🌶'.repeat(3), stored: '🌶'.repeat(3) },
  { rule: 'of 50 emoji', sent: '🌶'.repeat(50), stored: '🌶'.repeat(50) },
  { rule: 'with white space around it', sent: ' \t\nSpicy food\r\n ', stored: 'Spicy food' },
  { rule: 'of 50 characters after trimming', sent: `  ${'x'.repeat(50)}  `, stored: 'x'.repeat(50) },
  { rule: 'with a decomposed letter', sent: 'Cafe\u0301', stored: 'Caf\u00e9' },
  { rule: 'of 50 decomposed letters', sent: 'e\u0301'.repeat(50), stored: '\u00e9'.repeat(50) },
];

const refused = [
  { rule: 'that is empty', sent: '', code: 'invalid_length' },
  { rule: 'of white space', sent: '     ', code: 'invalid_length' },
  { rule: 'of 2 characters', sent: 'ab', code: 'invalid_length' },
  { rule: 'of 2 characters after trimming', sent: '  ab  ', code: 'invalid_length' },
  { rule: 'of 2 emoji', sent: '🌶'.repeat(2), code: 'invalid_length' },
  { rule: 'of 2 letters, one of them decomposed', sent: 'e\u0301a', code: 'invalid_length' },
  { rule: 'of 51 characters', sent: 'x'.repeat(51), code: 'invalid_length' },
  { rule: 'of 51 emoji', sent: '🌶'.repeat(51), code: 'invalid_length' },
  { rule: 'of 51 decomposed letters', sent: 'e\u0301'.repeat(51), code: 'invalid_length' },
  { rule: 'with a NUL', sent: 'a\u0000bc', code: 'invalid_characters' },
  { rule: 'that begins with a NUL', sent: '\u0000abc', code: 'invalid_characters' },
  { rule: 'with a tab', sent: 'a\tbc', code: 'invalid_characters' },
  { rule: 'with a line break', sent: 'a\nbc', code: 'invalid_characters' },
  { rule: 'with an escape', sent: 'a\u001b[31mbc', code: 'invalid_characters' },
  { rule: 'with a delete', sent: 'a\u007fbc', code: 'invalid_characters' },
  { rule: 'with a C1 control', sent: 'a\u0085bc', code: 'invalid_characters' },
  { rule: 'of 128 KB of combining marks', sent: '\u0345\u0316'.repeat(32_000), code: 'invalid_length' },
  { rule: 'of Hangul fillers', sent: '\u3164'.repeat(3), code: 'invalid_characters' },
  { rule: 'of empty braille patterns', sent: '\u2800'.repeat(3), code: 'invalid_characters' },
  { rule: 'with half a surrogate pair', sent: 'a\ud83cbc', code: 'invalid_characters' },
];

const fieldNames = [
  { field: 'name_en', argument: 'nameEn', column: 'nameEn' },
  { field: 'name_ar', argument: 'nameAr', column: 'nameAr' },
] as const;

describe.each(fieldNames)('$field', ({ field, argument, column }) => {
  const fieldsWith = (name: string): TagFields => ({ name_en: 'Spicy', [field]: name });

  describe.each(Object.keys(surfaces) as (keyof typeof surfaces)[])('on %s', (name) => {
    const surface = surfaces[name];

    test.each(accepted)('a name $rule is taken', async ({ sent, stored }) => {
      const created = await surface.create(app.client, fieldsWith(sent), tenant);
      expect(created[field]).toBe(stored);
      const row = await app.db
        .selectFrom('productTags')
        .select(column)
        .where('id', '=', created.id)
        .executeTakeFirstOrThrow();
      expect(row[column]).toBe(stored);
    });

    test('an update follows the same rules as a creation', async () => {
      const { id } = await surface.create(app.client, fieldsWith('Before'), tenant);
      const updated = await surface.update(app.client, id, fieldsWith('  Cafe\u0301  '), tenant);
      expect(updated[field]).toBe('Caf\u00e9');
    });
  });

  test.each(refused)('a name $rule is refused on both surfaces', async ({ sent, code }) => {
    const rest = await app.client.rest('POST', '/product_tags', { token: tenant.token, body: fieldsWith(sent) });
    expect(rest.status).toBe(422);
    expect(rest.body.code).toBe(code);
    expect(rest.body.errors).toEqual({ [field]: [expect.any(String)] });

    const { body } = await app.client.graphql(CreateProductTagDocument, { input: toInput(fieldsWith(sent)) }, tenant);
    expect(body.data?.createProductTag).toEqual({
      productTag: null,
      userErrors: [
        { code: code.toUpperCase(), field: ['input', argument], message: rest.body.errors[field][0], itemIds: null },
      ],
    });
  });

  test('the refusal of a length names the limits', async () => {
    const { body } = await app.client.rest('POST', '/product_tags', { token: tenant.token, body: fieldsWith('ab') });
    expect(body.errors[field][0]).toMatch(/\b3\b.*\b50\b/);
  });
});
