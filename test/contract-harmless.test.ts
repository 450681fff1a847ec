import { expect, test } from 'vitest';
import { openApiChanges } from '../contract/rest/changes.ts';
import { type Change, described } from './support/contract.ts';

test.each<[string, Change]>([
  ['a path is new', ({ paths }) => Object.assign(paths, { '/meals': paths['/services'] })],
  ['a method is new', ({ paths }) => Object.assign(paths['/services'], { post: paths['/services'].get })],
  [
    'a parameter is new',
    ({ paths }) => paths['/cities'].get.parameters.push({ name: 'q', in: 'query', schema: { type: 'string' } }),
  ],
  [
    'a parameter may be absent',
    ({ paths }) => Object.assign(paths['/product_tags/{id}'].put.parameters[0], { required: false }),
  ],
  [
    'parameters are in another order, and said to be what they were',
    ({ paths }) => {
      const { parameters } = paths['/lookups'].get;
      Object.assign(parameters[0], { style: 'form', explode: true });
      parameters.reverse();
    },
  ],
  [
    'a parameter is of its path',
    ({ paths }) => {
      const { get } = paths['/cities'];
      paths['/cities'].parameters = [get.parameters.shift()];
    },
  ],
  [
    'the name of a header is in another case',
    ({ components }) => Object.assign(components.parameters.IfMatch, { name: 'if-match' }),
  ],
  [
    'a field is new where others may be',
    ({ components }) => Object.assign(components.schemas.Problem.properties, { see: { type: 'string' } }),
  ],
  [
    'a field may be sent that was none',
    ({ components }) => Object.assign(components.schemas.ProductTagFields.properties, { note: { type: 'string' } }),
  ],
  ['a field need not be sent', ({ components }) => components.schemas.ProductTagFields.required.pop()],
  ['a field is always there', ({ components }) => components.schemas.Problem.required.push('errors')],
  [
    'a longer name is taken',
    ({ components }) => Object.assign(components.schemas.ProductTagFields.properties.name_en, { maxLength: 60 }),
  ],
  [
    'shorter names are told',
    ({ components }) => Object.assign(components.schemas.ProductTag.properties.name_en, { maxLength: 40 }),
  ],
  [
    'a form of another type is taken',
    ({ paths }) => {
      const { content } = paths['/product_tags'].post.requestBody;
      content['multipart/form-data'] = content['application/x-www-form-urlencoded'];
    },
  ],
  ['a body may be absent', ({ paths }) => Object.assign(paths['/product_tags'].post.requestBody, { required: false })],
  [
    'a header is new',
    ({ paths }) =>
      Object.assign(paths['/countries'].get.responses[200].headers, { Age: { schema: { type: 'string' } } }),
  ],
  ['a token is not needed any more', ({ paths }) => Object.assign(paths['/product_tags'].post, { security: [] })],
  [
    'a key will do instead of a token',
    (document) => {
      document.components.securitySchemes.key = { type: 'apiKey', name: 'Key', in: 'header' };
      document.security.push({ key: [] });
    },
  ],
  ['there is another server', ({ servers }) => servers.push({ url: 'https://eu.example.com/v1' })],
  ['a failure is no more', ({ paths }) => delete paths['/product_tags'].post.responses[415]],
  [
    'a failure is new',
    ({ paths, components }) => Object.assign(paths['/cities'].get.responses, { 409: components.responses.Conflict }),
  ],
  [
    'a component has another name',
    ({ paths, components }) => {
      components.schemas.Zone = components.schemas.Timezone;
      const { content } = paths['/timezones'].get.responses[200];
      content['application/json'].schema.properties.timezones.items.$ref = '#/components/schemas/Zone';
    },
  ],
  ['it is of another version', ({ info }) => Object.assign(info, { version: '0.2.0', title: 'V1' })],
  ['tags are others', (document) => Object.assign(document, { tags: [], 'x-groups': [] })],
])('does not break where %s', (_name, change) => {
  expect(openApiChanges(described(), described(change))).toEqual([]);
});
