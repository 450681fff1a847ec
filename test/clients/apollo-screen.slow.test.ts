import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { install } from '../../tools/install.ts';
import { executablePath, launch } from '../browser/browser.ts';
import { documentBlock, root } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { startHttpServer } from '../support/http-server.ts';
import { startProgram } from '../support/programs.ts';
import { startApp, use, useFolder } from '../support/test-app.ts';

const app = use(await startApp({ RATE_LIMIT: 'off' }));
const tenant = await app.createTenant();
const copies = await useFolder();

/** A copy of the example with the packages of a folder. */
async function copyExample(packages: string): Promise<string> {
  const folder = join(copies, packages.replace('/', '-'));
  await cp(join(root, 'examples/apollo-client'), folder, { recursive: true });
  await symlink(join(root, packages, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Starts the server of the example in front of a gateway. */
async function startServer(gatewayUrl: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { GATEWAY_URL: gatewayUrl, GATEWAY_TOKEN: tenant.token, PORT: `${port}` };
  const program = [join(root, 'examples/apollo-client/server.js')];
  return Object.assign(await startProgram(process.execPath, program, () => fetch(url, { method: 'POST' }), { env }), {
    url,
  });
}

test('the server adds the token, and passes on what the client and the service say', async () => {
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const gateway = await startHttpServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    const type = 'application/graphql-response+json';
    response.writeHead(429, { 'Content-Type': type, 'Retry-After': '7', 'Set-Cookie': 'a=b' }).end('{"errors":[]}');
  });
  await using server = await startServer(gateway.url);
  const passedOn = {
    accept: 'application/graphql-response+json',
    'accept-language': 'ar',
    'idempotency-key': 'one',
    'if-match': '"1"',
  };
  const send = () =>
    fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...passedOn, 'content-type': 'application/json', cookie: 'session=1', authorization: 'Bearer other' },
      body: '{"query":"{ company { id } }"}',
    });
  const response = await send();
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('7');
  expect(response.headers.get('content-type')).toBe('application/graphql-response+json');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(await response.text()).toBe('{"errors":[]}');
  const { headers, body } = received.at(-1) ?? {};
  expect(headers).toMatchObject({ ...passedOn, authorization: `Bearer ${tenant.token}` });
  expect(headers).not.toHaveProperty('cookie');
  expect(body).toBe('{"query":"{ company { id } }"}');
  await gateway.close();
  expect((await send()).status).toBe(502);
});

test('the code generator of the guide reads the copied files', async () => {
  await install('tools/codegen');
  const folder = await copyExample('tools/codegen');
  const config = await documentBlock('docs/partners/apollo-client.md', 'Types', 'ts');
  expect(config).toContain('http://127.0.0.1:4000');
  await writeFile(join(folder, 'codegen.ts'), config.replace('http://127.0.0.1:4000', app.url));
  const cli = join(folder, 'node_modules/@graphql-codegen/cli/cjs/bin.js');
  await promisify(execFile)(process.execPath, [cli, '--config', 'codegen.ts'], { cwd: folder });
  const types = await readFile(join(folder, 'src/operations.generated.ts'), 'utf8');
  for (const name of ['TagsQuery', 'RenameMutation', 'RenameDocument']) expect(types).toContain(name);
});

test.skipIf(executablePath === '')('the screen does what it shows, in both languages', async () => {
  const values = Array.from({ length: 30 }, (_, index) => ({ nameEn: `Tag ${index + 10}`, nameAr: null }));
  const vegan = { nameEn: 'Vegan', nameAr: 'نباتي' };
  await app.db
    .insertInto('productTags')
    .values([...values, vegan].map((names) => ({ ...names, companyId: tenant.companyId })))
    .execute();
  const tags = () => app.db.selectFrom('productTags').selectAll().where('companyId', '=', tenant.companyId).execute();
  const id = (await tags()).find(({ nameEn }) => nameEn === 'Vegan')?.id;
  const change = (mutation: string) =>
    app.client.graphql(`mutation { ${mutation} { userErrors { code } } }`, {}, tenant);

  await using server = await startServer(app.url);
  const folder = await copyExample('test/clients');
  process.env.SERVER_URL = server.url;
  const { build, preview } = await import('vite');
  await build({ root: folder, logLevel: 'error' });
  const site = await preview({
    root: folder,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: await freePort() },
  });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.goto(site.resolvedUrls?.local[0] ?? '');
    const rows = page.locator('li');
    const row = (name: string) => page.locator('li', { has: page.getByRole('button', { name, exact: true }) });

    await expect.poll(() => rows.count()).toBe(25);
    await page.getByRole('button', { name: 'More' }).click();
    await expect.poll(() => rows.count()).toBe(31);
    await page.getByLabel('Search').fill('vegan');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Search').fill('');
    await expect.poll(() => rows.count()).toBe(31);

    // A tick shows at once, and its number beside the tag.
    await page.getByRole('button', { name: 'Vegan', exact: true }).click();
    await page.getByRole('checkbox').first().click();
    await row('Vegan').getByText('1 products').waitFor();
    await expect.poll(() => page.getByRole('checkbox').first().isEnabled()).toBe(true);
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);

    // Only items were changed by somebody else: no question.
    const name = page.getByLabel('English name');
    await change(`addProductTagItems(id: ${id}, itemIds: [${tenant.products[1]}])`);
    await name.fill('Plants');
    await page.getByRole('button', { name: 'Save' }).click();
    await row('Plants').getByText('2 products').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);

    // The name was changed by somebody else: the reader chooses.
    await change(`updateProductTag(id: ${id}, input: { nameEn: "Greens" })`);
    await name.fill('Leaves');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alertdialog').getByText('Greens').waitFor();
    await row('Greens').waitFor();
    await page.getByRole('button', { name: 'Use my name' }).click();
    await row('Leaves').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect((await tags()).find((tag) => tag.id === id)?.nameEn).toBe('Leaves');
    await change(`updateProductTag(id: ${id}, input: { nameEn: "Salads" })`);
    await name.fill('Roots');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect(await name.inputValue()).toBe('Salads');

    await page.getByLabel('New tag').fill('x');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('English name must have 3 to 50 characters.').waitFor();
    await page.getByLabel('New tag').fill('Spicy');
    await page.getByRole('button', { name: 'Add' }).click();
    await row('Spicy').waitFor();

    // In Arabic, names and messages come in that language.
    await page.getByLabel('Language').selectOption('ar');
    await page.getByLabel('بحث').fill('نباتي');
    await row('نباتي').waitFor();
    expect(await page.locator('main').getAttribute('dir')).toBe('rtl');
    await page.getByLabel('وسم جديد').fill('x');
    await page.getByRole('button', { name: 'إضافة' }).click();
    await page.getByText('يجب أن يتكون').waitFor();
    await page.getByRole('button', { name: 'نباتي' }).click();
    await page.getByRole('button', { name: 'حذف' }).click();
    await expect.poll(() => row('نباتي').count()).toBe(0);
    expect((await tags()).map((tag) => tag.id)).not.toContain(id);
    await page.getByLabel('Language').selectOption('en');
    await row('Spicy').waitFor();
    expect(await row('Salads').count()).toBe(0);
    expect(problems).toEqual([]);
  } finally {
    await Promise.all([browser.close(), site.close()]);
    delete process.env.SERVER_URL;
  }
});
