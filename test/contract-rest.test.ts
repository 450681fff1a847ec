import { expect, test } from 'vitest';
import { openApiChanges } from '../contract/rest/changes.ts';
import { type Change, described } from './support/contract.ts';

const tag = '/product_tags/{id}';

test.each<[string, Change, ...told: string[]]>([
  [
    'a path is gone',
    ({ paths }) => delete paths['/cities'],
    'GET /cities is gone',
    'OPTIONS /cities is gone',
    'HEAD /cities is gone',
  ],
  ['a method is gone', ({ paths }) => delete paths['/cities'].head, 'HEAD /cities is gone'],
  [
    'an operation has another name',
    ({ paths }) => Object.assign(paths['/cities'].get, { operationId: 'cities' }),
    'GET /cities is no longer called listCities',
  ],
  [
    'it is elsewhere',
    ({ servers }) => Object.assign(servers[0], { url: '/partner_portal/v2' }),
    'Server 1 was /partner_portal/v1, and is /partner_portal/v2',
  ],
  [
    'another server comes first',
    ({ servers }) => servers.unshift({ url: '/v1' }),
    'Server 1 was /partner_portal/v1, and is /v1',
  ],
  [
    'an operation is elsewhere',
    ({ paths }) => Object.assign(paths['/cities'].get, { servers: [{ url: '/' }] }),
    'GET /cities: servers was none, and is [{"url":"/"}], which nobody can judge',
  ],
  [
    'a token is needed',
    ({ paths }) => delete paths['/countries'].get.security,
    'GET /countries is no longer open to everybody',
  ],
  [
    'more than a token is needed',
    ({ paths }) => Object.assign(paths[tag].put, { security: [{ token: [], key: [] }] }),
    `PUT ${tag} is no longer open to callers with token`,
  ],
  [
    'a scope is needed',
    ({ paths }) => Object.assign(paths[tag].put, { security: [{ token: ['write'] }] }),
    `PUT ${tag} is no longer open to callers with token`,
  ],
  [
    'a token is another header',
    ({ components }) =>
      Object.assign(components.securitySchemes, { token: { type: 'apiKey', name: 'T', in: 'header' } }),
    'The security scheme token: type was "http", and is "apiKey", which nobody can judge',
    'The security scheme token: scheme was "bearer", and is none, which nobody can judge',
    'The security scheme token: name was none, and is "T", which nobody can judge',
    'The security scheme token: in was none, and is "header", which nobody can judge',
  ],
  [
    'a parameter is gone',
    ({ paths }) => paths['/cities'].get.parameters.shift(),
    'GET /cities: the parameter country_id is gone',
  ],
  [
    'a parameter is elsewhere',
    ({ paths }) => Object.assign(paths['/cities'].get.parameters[0], { in: 'header' }),
    'GET /cities: the parameter country_id is gone',
  ],
  [
    'a parameter is needed',
    ({ paths }) => Object.assign(paths['/cities'].get.parameters[0], { required: true }),
    'GET /cities: the parameter country_id is now required',
  ],
  [
    'another parameter is needed, of the path',
    ({ paths }) => Object.assign(paths['/cities'], { parameters: [{ name: 'q', in: 'query', required: true }] }),
    'GET /cities: the parameter q is now required',
    'OPTIONS /cities: the parameter q is now required',
    'HEAD /cities: the parameter q is now required',
  ],
  [
    'a header is needed',
    ({ components }) => Object.assign(components.parameters.IfMatch, { required: true }),
    `PUT ${tag}: the parameter If-Match is now required`,
  ],
  [
    'a parameter is written in another way',
    ({ paths }) => Object.assign(paths['/cities'].get.parameters[0], { explode: false }),
    'GET /cities: country_id: explode was true, and is false',
  ],
  [
    'a success has another status',
    ({ paths }) => {
      paths['/product_tags'].post.responses[202] = paths['/product_tags'].post.responses[201];
      delete paths['/product_tags'].post.responses[201];
    },
    'POST /product_tags is no longer answered 201',
    'POST /product_tags may now be answered 202',
  ],
  [
    'any other answer may come',
    ({ paths }) => Object.assign(paths[tag].put.responses, { default: { description: '' } }),
    `PUT ${tag} may now be answered default`,
  ],
  [
    'a failure has another status',
    ({ paths }) => {
      paths[tag].put.responses[410] = paths[tag].put.responses[404];
      delete paths[tag].put.responses[404];
    },
    `PUT ${tag} is refused with 410 instead of 404`,
  ],
  [
    'a form is not taken',
    ({ paths }) => delete paths['/product_tags'].post.requestBody.content['application/x-www-form-urlencoded'],
    'POST /product_tags: the body is no longer application/x-www-form-urlencoded',
  ],
  [
    'a body is needed',
    ({ paths }) => Object.assign(paths['/cities'].get, { requestBody: { required: true, content: {} } }),
    'GET /cities now needs a body',
  ],
  [
    'a form is sent in another way',
    ({ paths }) =>
      Object.assign(paths[tag].put.requestBody.content['application/x-www-form-urlencoded'], { encoding: { a: {} } }),
    `PUT ${tag}: the body (application/x-www-form-urlencoded): encoding was none, and is {"a":{}}, which nobody can judge`,
  ],
  [
    'an answer has another media type',
    ({ components: { responses } }) => {
      const { content } = responses.Conflict;
      responses.Conflict.content = { 'application/json': content['application/problem+json'] };
    },
    `PUT ${tag} (409) is no longer application/problem+json`,
    `PUT ${tag} (409) may now be application/json`,
  ],
  [
    'a header is gone',
    ({ paths }) => delete paths['/product_tags'].post.responses[201].headers.Location,
    'POST /product_tags (201): the header Location is gone',
  ],
  [
    'a header may be absent',
    ({ components }) => Object.assign(components.headers.Location, { required: false }),
    'POST /product_tags (201): the header Location may now be absent',
  ],
  [
    'an answer has a link',
    ({ components }) => Object.assign(components.responses.Conflict, { links: {} }),
    `PUT ${tag} (409): links was none, and is {}, which nobody can judge`,
  ],
  [
    'it is told in another version of OpenAPI',
    (document) => Object.assign(document, { openapi: '3.2.0' }),
    'The document: openapi was "3.1.0", and is "3.2.0", which nobody can judge',
  ],
])('breaks where %s', (_name, change, ...told) => {
  expect(openApiChanges(described(), described(change))).toEqual(told.map((each) => `REST: ${each}`));
});

test('a reference to nothing is no description', () => {
  const dangling = described(({ components }) => delete components.schemas.City);
  expect(() => openApiChanges(described(), dangling)).toThrow('#/components/schemas/City is to nothing');
});
