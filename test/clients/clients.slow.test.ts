import { describe, expect, test } from 'vitest';
import { startApp, use } from '../support/test-app.ts';

interface Operation {
  kind: 'query' | 'mutation';
  text: string;
  variables: object;
}

// Without `id`: Relay accepts only strings for it, so its users alias ours.
const query = (text: string): Operation => ({ kind: 'query', text, variables: {} });
const services = query('query Services { services { code name } }');
const own = query('query Partner { partner { name } }');
const create = (nameEn: string): Operation => ({
  kind: 'mutation',
  text: `mutation Create($input: CreateProductTagInput!) {
    createProductTag(input: $input) { productTag { nameEn } userErrors { code } } }`,
  variables: { input: { nameEn } },
});

type Send = (operation: Operation) => Promise<{ data?: unknown; codes?: string[] }>;
type Connect = (url: string, headers: Record<string, string>) => Send;

// The clients have their own package, which `npm run test:all` installs.
const path = new URL('./clients.js', import.meta.url).href;
const { clients, persisted }: Record<'clients' | 'persisted', Record<string, Connect>> = await import(path);

const app = use(await startApp());
const url = `${app.url}/graphql`;
const { token, partnerName } = await app.createTenant();
const authorization = { Authorization: `Bearer ${token}` };
const partner = { name: partnerName };

describe.each(Object.entries(clients))('%s', (_name, connect) => {
  test('reads in both languages', async () => {
    for (const [language, name] of Object.entries({ en: 'Dine In', ar: 'تناول في المطعم' })) {
      const { data } = await connect(url, { 'Accept-Language': language })(services);
      const service = expect.objectContaining({ code: 'dine_in', name });
      expect(data).toMatchObject({ services: expect.arrayContaining([service]) });
    }
  });

  test('reads, writes and receives user errors with a token', async () => {
    const send = connect(url, authorization);
    expect(await send(own)).toMatchObject({ data: { partner } });
    const payload = async (name: string) => (await send(create(name))).data;
    const productTag = { nameEn: 'Spicy' };
    expect(await payload('Spicy')).toMatchObject({ createProductTag: { productTag, userErrors: [] } });
    const userErrors = [{ code: 'INVALID_LENGTH' }];
    expect(await payload('x')).toMatchObject({ createProductTag: { productTag: null, userErrors } });
  });

  test('receives 401 and 429 as errors with their codes', async () => {
    expect(await connect(url, {})(own)).toEqual({ codes: ['UNAUTHENTICATED'] });
    await using limited = await startApp({ RATE_LIMIT_ADDRESS_READS: '1', RATE_LIMIT_ADDRESS_WRITES: '1' });
    const send = connect(`${limited.url}/graphql`, {});
    await send(create('Spicy'));
    await send(create('Spicy'));
    expect(await send(create('Spicy'))).toEqual({ codes: ['RATE_LIMITED'] });
  });
});

test.each(Object.entries(persisted))('%s sends a document once, and its hash afterwards', async (name, connect) => {
  app.logLines.splice(0);
  for (const _time of [1, 2]) {
    expect(await connect(url, authorization)(own)).toMatchObject({ data: { partner } });
  }
  const line = () => app.logLines.filter(({ msg }) => msg === 'request').at(-1);
  const method = name.endsWith('GET') ? 'GET' : 'POST';
  await expect.poll(line).toMatchObject({ req: { method }, res: { status: 200 } });
});
