import { expect, test } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { startApp, use } from '../support/test-app.ts';

// The clients have their own package, which `npm run test:all` installs.
const path = new URL('./screens.js', import.meta.url).href;
const { screens, recipe } = await import(path);

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant();
const json = 'application/json';
const graphqlJson = 'application/graphql-response+json';

const create = `mutation Create($name: String!) { createProductTag(input: { nameEn: $name }) {
  productTag { id } userErrors { code message } } }`;

const error = (code: string) => JSON.stringify({ data: null, errors: [{ message: code, extensions: { code } }] });

/** Sends a mutation with the real client to a server that responds like this; returns the error. */
async function errorOf(status: number | 'lost' | 'aborted', type: string, body: string): Promise<unknown> {
  const abort = new AbortController();
  await using server = await startHttpServer((request, response) => {
    if (status === 'lost') return void request.socket.destroy();
    if (status === 'aborted') return abort.abort();
    response.writeHead(status, { 'Content-Type': type, 'Retry-After': '1' }).end(body);
  });
  const signal = status === 'aborted' ? abort.signal : null;
  const send: typeof fetch = (url, init) => recipe.fetchOrThrow(url, { ...init, ...(signal && { signal }) });
  const screen = screens['Apollo Client'](server.url, {}, send);
  return await screen.mutate({ text: create, variables: { name: 'Spicy' } }).catch((thrown: unknown) => thrown);
}

test.concurrent.each<[status: number | 'lost' | 'aborted', type: string, body: string, isUncertain: boolean]>([
  [500, json, error('INTERNAL_SERVER_ERROR'), true],
  [500, graphqlJson, error('INTERNAL_SERVER_ERROR'), true],
  [200, json, error('INTERNAL_SERVER_ERROR'), true],
  [200, graphqlJson, error('SERVICE_UNAVAILABLE'), true],
  [502, 'text/html', '<h1>502 Bad Gateway</h1>', true],
  [503, json, error('SERVICE_UNAVAILABLE'), true],
  [503, graphqlJson, error('OVERLOADED'), true],
  [503, 'text/html', '<h1>503</h1>', true],
  [504, 'text/html', '', true],
  [200, json, '{"data":', true],
  ['lost', '', '', true],
  ['aborted', '', '', true],
  [400, json, error('MALFORMED_BODY'), false],
  [400, graphqlJson, error('BAD_USER_INPUT'), false],
  [200, json, error('BAD_USER_INPUT'), false],
  [401, json, error('UNAUTHENTICATED'), false],
  [401, graphqlJson, error('UNAUTHENTICATED'), false],
  [403, graphqlJson, error('READ_ONLY_TOKEN'), false],
  [429, json, error('RATE_LIMITED'), false],
  [429, graphqlJson, error('RATE_LIMITED'), false],
])('a mutation that ends with %s (%s) %s: it may have been done: %s', async (status, type, body, isUncertain) => {
  const thrown = await errorOf(status, type, body);
  expect(thrown).toBeInstanceOf(Error);
  expect(recipe.isUncertain(thrown)).toBe(isUncertain);
});

test('the rejection of a mutation has its codes and messages', async () => {
  const screen = screens['Apollo Client'](`${app.url}/graphql`, { Authorization: `Bearer ${tenant.token}` });
  expect(recipe.rejectionOf(await screen.mutate({ text: create, variables: { name: 'x' } }))).toEqual({
    codes: ['INVALID_LENGTH'],
    message: 'English name must have 3 to 50 characters.',
    current: undefined,
  });
  expect(recipe.rejectionOf(await screen.mutate({ text: create, variables: { name: 'Spicy' } }))).toBeUndefined();
  expect(recipe.rejectionOf(undefined)).toBeUndefined();
});
