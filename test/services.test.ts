import { describe, expect, test } from 'vitest';
import { ServicesDocument } from './documents.generated.ts';
import { sharedApp } from './support/app.ts';
import { languages, nameOf } from './support/reference.ts';

const app = await sharedApp();

test('the services are the four known values', async () => {
  const { body } = await app.client.rest('GET', '/services');
  const codes = (body.services as { code: string }[]).map((service) => service.code);
  expect(codes.toSorted()).toEqual(['curbside', 'delivery', 'dine_in', 'pick_up']);
});

describe.each(languages)('services in %s', (language) => {
  test('REST has every service in both languages, by id, and nothing else', async () => {
    const rows = await app.db.selectFrom('services').selectAll().orderBy('id').execute();
    const { status, body } = await app.client.rest('GET', '/services', { language });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      services: rows.map((row) => ({
        id: row.id,
        code: row.code,
        name_en: row.nameEn,
        name_ar: row.nameAr,
        name: nameOf(row, language),
      })),
    });
  });

  test('GraphQL lists the same services', async () => {
    const rest = await app.client.rest('GET', '/services', { language });
    const { body } = await app.client.graphql(ServicesDocument, {}, { language });
    const listed = body.data?.services.map(({ id, code, nameEn, nameAr, name }) => ({
      id,
      code,
      name_en: nameEn,
      name_ar: nameAr,
      name,
    }));
    expect({ services: listed }).toStrictEqual(rest.body);
  });

  test('they mirror the services lookup', async () => {
    const { body } = await app.client.rest('GET', '/services', { language });
    const lookup = await app.client.rest('GET', '/lookups?services=-1', { language });
    const entries = (body.services as { id: number; name: string }[]).map(({ id, name }) => ({
      key: 'id',
      value: String(id),
      name,
    }));
    expect(lookup.body).toEqual({ lookups: [{ services: entries }] });
  });
});
